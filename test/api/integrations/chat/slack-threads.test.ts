// Threads in Slack: a reply becomes a comment by the person who wrote it, once, and goes no circle.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { makeAlert } from "../../../support/integrations/outgoing.ts";
import { linkSlackUser } from "../../../support/providers/chat/linking.ts";
import {
  fromSlack,
  makeSlackApp,
  openSlack,
  replied,
  type Slack,
  type SlackIntegration,
  signedHeaders,
} from "../../../support/providers/chat/slack.ts";
import { failDatabase, soon } from "../../../support/worker/faults.ts";
import { makePerson, type Person } from "../../../support/worker/world.ts";

const [BEN, EVE] = ["U0BEN", "U0EVE"];

let account: Account;
let ben: Person;
let slack: Slack;
let integration: SlackIntegration;
let alertId: string;
let thread: string;

beforeEach(async () => {
  slack = openSlack();
  account = await makeAccount("Ada Admin");
  ben = await makePerson(account, "Ben Backup");
  integration = await makeSlackApp(account);
  await linkSlackUser(integration, BEN, ben.accountUserId);
  const alert = await makeAlert(account, { destination_account_user_ids: [account.accountUserId] });
  alertId = alert.id;
  thread = (await vi.waitUntil(() => slack.rootOf(alertId), soon)).ts;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const send = (body: string) => fromSlack(integration, "events", body);
const comments = async () => (await account.api("GET", `/alerts/${alertId}/comments`)).body.data;

test("a URL is verified by its challenge, which has to be signed", async () => {
  const body = JSON.stringify({ type: "url_verification", challenge: "abc", token: "x" });
  expect(await send(body)).toMatchObject({ status: 200, body: { challenge: "abc" } });
  const forged = signedHeaders(body, { secret: "other" });
  expect((await fromSlack(integration, "events", body, forged)).status).toBe(403);
});

test("a reply becomes a comment of the linked person, as plain text, and is not echoed", async () => {
  const other = await makeSlackApp(account, { name: "Slack two" });
  const text = "try <https://wiki.example.com/a|the wiki> &amp; ask <@U0ADA> :wave: <!here>";
  expect((await send(replied(thread, text, BEN))).status).toBe(200);
  expect(await comments()).toMatchObject([
    {
      body: "try the wiki (https://wiki.example.com/a) & ask @U0ADA :wave: @here",
      account_user_id: ben.accountUserId,
      created_by_name: "Ben Backup",
    },
  ]);
  const { body } = await account.api("GET", "/deliveries?limit=100");
  const told = body.data.filter((it: { event: string }) => it.event === "comment.created");
  expect(told.map((it: { integration_id: string }) => it.integration_id)).toEqual([other.id]);
  expect(slack.threadOf(thread)).toEqual([]);
});

test("a reply that Slack sends again is stored once", async () => {
  const body = replied(thread, "rolled back", BEN);
  await send(body);
  const headers = { ...signedHeaders(body), "X-Slack-Retry-Num": "1" };
  expect((await fromSlack(integration, "events", body, headers)).status).toBe(200);
  expect(await comments()).toHaveLength(1);
});

test("a reply that Slack sends twice at a time is stored once", async () => {
  const body = replied(thread, "rolled back", BEN);
  const replies = await Promise.all([send(body), send(body), send(body)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await comments()).toHaveLength(1);
});

test("a reply that could not be stored is taken when Slack sends it again", async () => {
  const body = replied(thread, "rolled back", BEN);
  const mend = failDatabase();
  expect((await send(body)).status).toBe(503);
  mend();
  expect((await send(body)).status).toBe(200);
  expect(await comments()).toHaveLength(1);
});

test.each([
  ["of an app", { bot_id: "B01" }],
  ["of our own app", { app_id: "A01", bot_profile: { id: "B01" } }],
  ["that was changed", { subtype: "message_changed", message: { text: "x" } }],
  ["that was deleted", { subtype: "message_deleted" }],
  ["of a bot without a person", { subtype: "bot_message", user: undefined }],
  ["outside a thread", { thread_ts: undefined }],
  ["in another thread", { thread_ts: "1.000009" }],
  ["in another channel", { channel: "C9999999999" }],
  ["without text", { text: "" }],
])("a message %s is no comment", async (_, more) => {
  expect((await send(replied(thread, "hello", BEN, more))).status).toBe(200);
  expect(await comments()).toEqual([]);
  expect(slack.told).toEqual([]);
});

test.each([["thread_broadcast"], ["file_share"]])("a reply of kind %s is one", async (subtype) => {
  await send(replied(thread, "hello", BEN, { subtype }));
  expect(await comments()).toHaveLength(1);
});

test("somebody who has not linked their account is told so once", async () => {
  expect((await send(replied(thread, "hello", EVE))).status).toBe(200);
  expect((await send(replied(thread, "hello", EVE))).status).toBe(200);
  await vi.waitFor(() => expect(slack.told).toHaveLength(1), soon);
  expect(slack.told[0]).toMatch(/^This reply is not stored as a comment\. .*\/chat\/link\//);
  expect(await comments()).toEqual([]);
});

test("anything else is ignored", async () => {
  for (const body of ["{", "[]", "{}", JSON.stringify({ type: "event_callback", event: [] })]) {
    expect((await send(body)).status).toBe(200);
  }
});
