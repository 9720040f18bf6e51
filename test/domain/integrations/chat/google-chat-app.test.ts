// The messages of a Google Chat app: which actions an alert has in each status, Google Chat's limits, and
// what its answers mean.
import { expect, test } from "vitest";
import type { OutgoingEvent } from "../../../../src/domain/integrations/announcement.ts";
import { readGoogleChatAnswer } from "../../../../src/products/google-chat/api.ts";
import { googleChatApp } from "../../../../src/products/google-chat/google-chat-app-type.ts";
import { readGoogleChatEvent } from "../../../../src/products/google-chat/read-events.ts";
import { withoutMarkupAroundLinks } from "../../../../src/products/google-chat/text.ts";
import type { OutgoingMessage } from "../../../../src/products/integration-type.ts";
import { actionsOf, isMessage } from "../../../support/providers/chat/google-chat-message.ts";

const ID = "01JJ5E6V7P8Q9R0STVWXYZ0123";
const options = { space: "spaces/AAAA" };
const posted = { channel: "spaces/AAAA/threads/t", messageId: "spaces/AAAA/messages/m" };

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

const bodyOf = (it: OutgoingMessage) =>
  googleChatApp.outgoing?.announce(it, options, {})?.body as Record<string, any>;
const follow = (it: OutgoingMessage) =>
  googleChatApp.outgoing?.chat?.follow(it, posted, options, {}) ?? [];

test.each([
  ["open", ["acknowledge", "reject", "resolve", "snooze", "hand_off", "comment"]],
  ["dropped", ["acknowledge", "resolve", "snooze", "hand_off", "comment"]],
  ["acknowledged", ["resolve", "snooze", "hand_off", "comment"]],
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
  { title: "<".repeat(1_024), description: "&".repeat(65_536) },
  { title: "\ud83d\ude00".repeat(512), description: "*".repeat(10_000) },
  { title: "a\u0000\nb", description: "\ud800" },
])("any text keeps Google Chat's limits (%#)", (more) => {
  const sent = [
    bodyOf(message("open", { more })),
    ...follow(message("open", { more })).map(({ body }) => body),
  ];
  for (const body of sent) {
    expect(isMessage(body as Record<string, any>)).toBe(true);
    expect(JSON.stringify(body).isWellFormed()).toBe(true);
  }
});

test("a later event changes the message and writes into its thread", () => {
  const it = message("acknowledged", { event: "alert.acknowledged" });
  const base = "https://chat.googleapis.com/v1";
  expect(follow(it)).toMatchObject([
    { method: "PATCH", url: `${base}/${posted.messageId}?updateMask=cardsV2` },
    {
      method: "POST",
      url: `${base}/spaces/AAAA/messages?messageReplyOption=REPLY_MESSAGE_OR_FAIL`,
      body: { text: "Acknowledged by Ada", thread: { name: posted.channel } },
    },
  ]);
});

test.each([
  [
    200,
    { name: "spaces/A/messages/m", thread: { name: "spaces/A/threads/t" } },
    { kind: "done", posted: { channel: "spaces/A/threads/t", messageId: "spaces/A/messages/m" } },
  ],
  [404, { error: { status: "NOT_FOUND" } }, { kind: "lost" }],
  [
    400,
    { error: { status: "INVALID_ARGUMENT", message: "Disk full" } },
    { kind: "refused", reason: "Google Chat answered 400: INVALID_ARGUMENT" },
  ],
  [403, { error: { status: "PERMISSION_DENIED" } }, { kind: "refused" }],
  [401, { error: { status: "UNAUTHENTICATED" } }, { kind: "again" }],
  [403, null, { kind: "again" }],
  [429, { error: { status: "RESOURCE_EXHAUSTED" } }, { kind: "again" }],
  [503, null, { kind: "again" }],
])("an answer %i %j means %j", (status, body, expected) => {
  expect(readGoogleChatAnswer(status, body)).toMatchObject(expected);
});

test.each([
  null,
  [],
  "x",
  {},
  { type: "MESSAGE" },
  { type: "CARD_CLICKED", user: { name: "users/1" } },
])("%j is no event", (body) => {
  expect(readGoogleChatEvent(body, "1")).toEqual({ kind: "other" });
});

test("what is said keeps its links, and mentions nobody", () => {
  expect(withoutMarkupAroundLinks("Hi <users/all> *x* https://t.test/a_b y_z")).toBe(
    "Hi <\u200busers/all> *\u200bx*\u200b https://t.test/a_b y_\u200bz",
  );
});
