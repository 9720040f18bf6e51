// The messages of a Teams app: which actions an alert has in each status, whether Microsoft's own library
// reads its cards, and what the answers of Teams mean.
import { AdaptiveCard, HostConfig, SerializationContext, Version } from "adaptivecards";
import { expect, test } from "vitest";
import type { OutgoingEvent } from "../../../../src/domain/integrations/announcement.ts";
import type { OutgoingMessage } from "../../../../src/products/integration-type.ts";
import { readTeamsAnswer } from "../../../../src/products/teams/api.ts";
import { readTeamsActivity } from "../../../../src/products/teams/read-activities.ts";
import { teamsApp } from "../../../../src/products/teams/teams-app-type.ts";
import { teams } from "../../../../src/products/teams/teams-type.ts";
import { actionsOf, isMessage } from "../../../support/providers/chat/teams-message.ts";

const ID = "01JJ5E6V7P8Q9R0STVWXYZ0123";
const TENANT = "11111111-2222-3333-4444-555555555555";
const options = { channel: "19:0123456789@thread.tacv2", tenant: TENANT, app_id: "app" };
const posted = { channel: "19:0123456789@thread.tacv2;messageid=17", messageId: "17" };

const message = (
  status: string,
  { event = "alert.open", more = {} }: { event?: string; more?: object } = {},
): OutgoingMessage => ({
  event: event as OutgoingEvent,
  ...{ at: 0, url: "https://tocsin.test/alerts/alt_1", app: null },
  payload: {
    ...{ about: "alert", sourceName: "Shop", destinations: ["Payments"], detail: null },
    alert: { id: ID, title: "Disk full", description: null, status, urgency: "high", ...more },
    by: { accountUserId: null, name: "Ada" },
  },
});

type Json = Record<string, any>;

const activityOf = (it: OutgoingMessage): Json =>
  (teamsApp.outgoing?.announce(it, options, {})?.body as Json | undefined)?.activity;
const follow = (it: OutgoingMessage) =>
  teamsApp.outgoing?.chat?.follow(it, posted, options, {}) ?? [];

/** What the library says against a card, of the version that Teams has. */
function faultsOf(card: Json): string[] {
  const context = new SerializationContext(new Version(1, 5));
  const parsed = new AdaptiveCard();
  // Teams' own limit.
  parsed.hostConfig = new HostConfig({ actions: { maxActions: 6 } });
  parsed.parse(card, context);
  const events = Array.from(
    { length: context.eventCount },
    (_, i) => context.getEventAt(i).message,
  );
  const read = parsed.toJSON(context) as Json;
  const isWhole =
    (read.body ?? []).length === card.body.length &&
    (read.actions ?? []).length === card.actions.length;
  return [
    ...events,
    ...parsed.validateProperties().validationEvents.map((it) => it.message),
    ...(isWhole ? [] : ["parts are missing"]),
  ];
}

const cardOf = ({ attachments: [attachment] }: Json): Json => attachment.content;

test.each([
  ["open", ["acknowledge", "reject", "resolve", "snooze", "hand_off", "comment"]],
  ["dropped", ["acknowledge", "resolve", "snooze", "hand_off", "comment"]],
  ["acknowledged", ["resolve", "snooze", "hand_off", "comment"]],
  ["suppressed", ["acknowledge"]],
  ["resolved", ["comment"]],
  ["queued", []],
])("an alert that is %s has the actions %j", (status, actions) => {
  const activity = activityOf(message(status));
  expect(actionsOf(activity)).toEqual(actions);
  expect(isMessage(activity)).toBe(true);
  expect(faultsOf(cardOf(activity))).toEqual([]);
});

test("the library finds fault with what is none", () => {
  expect(
    faultsOf({ type: "AdaptiveCard", version: "1.5", body: [{ type: "Tex" }], actions: [] }),
  ).not.toEqual([]);
});

test("the card of a workflow is one, too", () => {
  const sent = teams.outgoing?.announce(
    message("open"),
    {},
    { webhook_url: "https://x.test" },
  )?.body;
  expect(faultsOf(cardOf(sent as Json))).toEqual([]);
  expect(actionsOf(sent as Json)).toEqual([]);
});

test("a deleted alert has no actions", () => {
  expect(actionsOf(activityOf(message("open", { event: "alert.destroyed" })))).toEqual([]);
});

test.each([
  { title: "", description: "" },
  { title: "x".repeat(1_024), description: "y".repeat(65_536) },
  { title: "*".repeat(1_024), description: "_".repeat(65_536) },
  { title: "\ud83d\ude00".repeat(512), description: "<at>".repeat(10_000) },
  { title: "a\u0000\nb", description: "\ud800" },
])("any text keeps Teams' limits (%#)", (more) => {
  const bodies = follow(message("open", { more })).map(({ body }) => body as Json);
  for (const body of [activityOf(message("open", { more })), ...bodies]) {
    expect(isMessage(body)).toBe(true);
    expect(JSON.stringify(body).isWellFormed()).toBe(true);
    if (body.attachments) expect(faultsOf(cardOf(body))).toEqual([]);
  }
});

test("a later event changes the message and writes into its conversation", () => {
  const it = message("acknowledged", { event: "alert.acknowledged" });
  const activities = `https://smba.trafficmanager.net/teams/v3/conversations/${encodeURIComponent(posted.channel)}/activities`;
  expect(follow(it)).toMatchObject([
    { method: "PUT", url: `${activities}/17`, body: { id: "17", type: "message" } },
    { method: "POST", url: activities, body: { text: "Acknowledged by Ada", textFormat: "plain" } },
  ]);
});

test.each([
  [201, { id: "c", activityId: "a" }, { kind: "done", posted: { channel: "c", messageId: "a" } }],
  [201, { id: "1" }, { kind: "done", posted: null }],
  [404, { error: { code: "ActivityNotFoundInConversation" } }, { kind: "lost" }],
  [404, { error: { code: "ConversationNotFound" } }, { kind: "lost" }],
  [
    403,
    { error: { code: "Forbidden", message: "Disk full" } },
    { kind: "refused", reason: "Teams answered 403: Forbidden" },
  ],
  [401, { error: { code: "Unauthorized" } }, { kind: "again" }],
  [412, { error: { code: "PreconditionFailed" } }, { kind: "again" }],
  [403, null, { kind: "again" }],
  [429, null, { kind: "again" }],
  [502, null, { kind: "again" }],
])("an answer %i %j means %j", (status, body, expected) => {
  expect(readTeamsAnswer(status, body)).toMatchObject(expected);
});

const from = {
  from: { id: "29:1abcdefghij" },
  recipient: { id: "28:bot" },
  conversation: { id: "c", tenantId: TENANT },
};

test.each([
  null,
  [],
  "x",
  {},
  { type: "message" },
  { ...from, type: "typing" },
  { ...from, type: "invoke" },
])("%j is no activity", (body) => {
  expect(readTeamsActivity(body, TENANT)).toEqual({ kind: "other" });
});

test.each([
  ["<at>Tocsin</at> oncall  Payments&nbsp;", "/oncall", "Payments"],
  ["<at>Tocsin</at> /PAGE Payments disk", "/page", "Payments disk"],
  ["oncall", "/oncall", ""],
])("%j is a command", (text, name, words) => {
  const mention = { type: "mention", text: "<at>Tocsin</at>", mentioned: { id: "28:bot" } };
  const read = readTeamsActivity({ ...from, type: "message", text, entities: [mention] }, TENANT);
  expect(read).toMatchObject({
    kind: "command",
    command: { name, text: words, mentionedId: null },
  });
});
