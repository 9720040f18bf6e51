// The messages of a Discord app: which actions an alert has in each status, Discord's limits, and what
// its answers mean.
import { expect, test } from "vitest";
import type { OutgoingEvent } from "../../../../src/domain/integrations/announcement.ts";
import { readDiscordAnswer } from "../../../../src/products/discord/api.ts";
import { discordApp } from "../../../../src/products/discord/discord-app-type.ts";
import { readDiscordInteraction } from "../../../../src/products/discord/read-interactions.ts";
import { escapeAroundLinks } from "../../../../src/products/discord/text.ts";
import type { OutgoingMessage } from "../../../../src/products/integration-type.ts";
import { actionsOf, isMessage } from "../../../support/providers/chat/discord-message.ts";

const ID = "01JJ5E6V7P8Q9R0STVWXYZ0123";
const secrets = { bot_token: "bot" };
const options = { channel: "1234567890123456789" };
const posted = { channel: options.channel, messageId: "1100000000000000001" };

const message = (
  status: string,
  { event = "alert.open", more = {} }: { event?: string; more?: object } = {},
): OutgoingMessage => ({
  event: event as OutgoingEvent,
  ...{ at: 0, url: null, app: { origin: "https://tocsin.test", integrationId: "int_1" } },
  payload: {
    ...{ about: "alert", sourceName: "Shop", destinations: ["Payments"], detail: null },
    alert: { id: ID, title: "Disk full", description: null, status, urgency: "high", ...more },
    by: { accountUserId: null, name: "Ada" },
  },
});

const bodyOf = (it: OutgoingMessage) =>
  discordApp.outgoing?.announce(it, options, secrets)?.body as Record<string, any>;

test.each([
  ["open", ["acknowledge", "reject", "resolve", "hand_off", "comment", "snooze"]],
  ["dropped", ["acknowledge", "resolve", "hand_off", "comment", "snooze"]],
  ["acknowledged", ["resolve", "hand_off", "comment", "snooze"]],
  ["suppressed", ["acknowledge"]],
  ["resolved", ["comment"]],
  ["queued", []],
])("an alert that is %s has the actions %j", (status, actions) => {
  const body = bodyOf(message(status));
  expect(actionsOf(body)).toEqual(actions);
  expect(isMessage(body)).toBe(true);
});

test("a deleted alert has none", () => {
  expect(actionsOf(bodyOf(message("open", { event: "alert.destroyed" })))).toEqual([]);
});

test.each([
  { title: "", description: "" },
  { title: "x".repeat(1_024), description: "y".repeat(65_536) },
  { title: "*".repeat(1_024), description: "_".repeat(65_536) },
  { title: "\ud83d\ude00".repeat(512), description: "<".repeat(10_000) },
  { title: "a\u0000\nb", description: "\ud800" },
])("any text keeps Discord's limits (%#)", (more) => {
  const body = bodyOf(message("open", { more }));
  expect(isMessage(body)).toBe(true);
  expect(JSON.stringify(body).isWellFormed()).toBe(true);
  const calls = discordApp.outgoing?.chat?.follow(
    message("open", { more }),
    posted,
    options,
    secrets,
  );
  for (const { body: sent } of calls ?? []) {
    const { name, ...rest } = sent as Record<string, any>;
    expect(name === undefined ? isMessage(rest) : name.length <= 100 && name !== "").toBe(true);
  }
});

test("a later event changes the message, starts its thread and writes into it", () => {
  const it = message("acknowledged", { event: "alert.acknowledged" });
  const base = "https://discord.com/api/v10/channels";
  const inChannel = `${base}/${posted.channel}/messages/${posted.messageId}`;
  expect(discordApp.outgoing?.chat?.follow(it, posted, options, secrets)).toMatchObject([
    {
      ...{ method: "PATCH", url: inChannel },
      headers: { authorization: "Bot bot", "user-agent": "DiscordBot (https://tocsin.test, 1)" },
    },
    { method: "POST", url: `${inChannel}/threads`, body: { name: "Disk full" } },
    { method: "POST", url: `${base}/${posted.messageId}/messages` },
  ]);
});

test.each([
  [200, { id: "1", channel_id: "2" }, { kind: "done", posted: { channel: "2", messageId: "1" } }],
  [201, { id: "1", parent_id: "2" }, { kind: "done", posted: null }],
  [400, { code: 160_004 }, { kind: "done", posted: null }],
  [404, { code: 10_008 }, { kind: "lost" }],
  [404, { code: 10_003 }, { kind: "lost" }],
  [403, { code: 50_013 }, { kind: "refused", reason: "Discord answered 403: 50013" }],
  [401, { code: 0 }, { kind: "refused", reason: "Discord answered 401" }],
  [403, null, { kind: "again" }],
  [429, { code: 0 }, { kind: "again" }],
  [503, null, { kind: "again" }],
])("an answer %i %j means %j", (status, body, expected) => {
  expect(readDiscordAnswer(status, body)).toMatchObject(expected);
});

test.each([null, [], "x", {}, { type: 3 }, { type: 2, data: [] }, { type: "1" }])(
  "%j is no interaction",
  (body) => {
    expect(readDiscordInteraction(body)).toEqual({ kind: "other" });
  },
);

test("what is said keeps its links", () => {
  expect(escapeAroundLinks("Hi @all *x* https://t.test/a_b y_z")).toBe(
    "Hi \\@all \\*x\\* https://t.test/a_b y\\_z",
  );
});
