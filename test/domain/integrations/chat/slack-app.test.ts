// The messages of a Slack app: which actions an alert has in each status, and what follows it.
import { expect, test } from "vitest";
import type { OutgoingEvent } from "../../../../src/domain/integrations/announcement.ts";
import type { OutgoingMessage } from "../../../../src/products/integration-type.ts";
import { slackApp } from "../../../../src/products/slack/slack-app-type.ts";
import { areBlocks } from "../../../support/providers/chat/slack-blocks.ts";

const ID = "01JJ5E6V7P8Q9R0STVWXYZ0123";
const secrets = { bot_token: "xoxb-1" };
const options = { channel: "C0123456789" };
const posted = { channel: "C9999999999", messageId: "1.000002" };

const message = (
  status: string,
  {
    event = "alert.open",
    more = {},
    url = "https://tocsin.test/alerts/alt_1" as string | null,
  } = {},
): OutgoingMessage => ({
  event: event as OutgoingEvent,
  ...{ at: Date.UTC(2026, 0, 31, 9, 30), url, app: null },
  payload: {
    ...{ about: "alert", sourceName: "Shop", destinations: ["Payments"], detail: null },
    alert: { id: ID, title: "Disk full", description: null, status, urgency: "high", ...more },
    by: { accountUserId: null, name: "Ada" },
  },
});

type Body = { readonly blocks: any[]; readonly text: string; readonly [key: string]: unknown };

const bodyOf = (it: OutgoingMessage): Body =>
  slackApp.outgoing?.announce(it, options, secrets)?.body as Body;

const actionsOf = ({ blocks }: Body): string[] =>
  blocks.at(-1)?.elements.map((it: { action_id: string }) => it.action_id) ?? [];

test.each([
  ["open", ["acknowledge", "reject", "resolve", "snooze", "hand_off", "open"]],
  ["dropped", ["acknowledge", "resolve", "snooze", "hand_off", "open"]],
  ["acknowledged", ["resolve", "snooze", "hand_off", "open"]],
  ["suppressed", ["acknowledge", "open"]],
  ["resolved", ["open"]],
  ["queued", ["open"]],
])("an alert that is %s has the actions %j", (status, actions) => {
  const body = bodyOf(message(status));
  expect(areBlocks(body.blocks)).toBe(true);
  expect(actionsOf(body)).toEqual(actions);
  expect(body.blocks.at(-1)?.block_id).toBe(`alert:${ID}`);
});

test("a deleted alert has none, and without a public URL there is no link", () => {
  const deleted = bodyOf(message("open", { event: "alert.destroyed" }));
  expect(deleted.blocks.map(({ type }) => type)).not.toContain("actions");
  expect(actionsOf(bodyOf(message("acknowledged", { url: null })))).not.toContain("open");
  expect(bodyOf(message("resolved", { url: null })).blocks.at(-1)?.type).toBe("rich_text");
});

test.each([
  { title: "", description: "" },
  { title: "x".repeat(1_024), description: "y".repeat(65_536) },
  { title: "\ud83d\ude00".repeat(512), description: "<".repeat(10_000) },
  { title: "a\u0000\nb", description: "\ud800" },
])("any text keeps Slack's limits (%#)", (more) => {
  const { blocks, text } = bodyOf(message("open", { more }));
  expect(areBlocks(blocks)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(JSON.stringify(blocks).isWellFormed()).toBe(true);
});

test("a later event changes the message where it was posted, and replies to it", () => {
  const it = message("acknowledged", { event: "alert.acknowledged" });
  const calls = slackApp.outgoing?.chat?.follow(it, posted, options, secrets) ?? [];
  const auth = { authorization: "Bearer xoxb-1" };
  expect(calls).toMatchObject([
    {
      ...{ url: "https://slack.com/api/chat.update", headers: auth },
      body: {
        channel: posted.channel,
        ts: posted.messageId,
        text: "Acknowledged by Ada: Disk full",
      },
    },
    {
      ...{ url: "https://slack.com/api/chat.postMessage", headers: auth },
      body: { channel: posted.channel, thread_ts: posted.messageId, text: "Acknowledged by Ada" },
    },
  ]);
});

test("a comment only replies, and a shift is text without actions", () => {
  const comment: OutgoingMessage = {
    ...{ event: "comment.created", at: 0, url: null, app: null },
    payload: {
      ...{ about: "comment", on: "Disk full" },
      comment: { created_by_name: "Ada", body: "<!here> x", alert_id: ID },
    },
  };
  expect(slackApp.outgoing?.chat?.follow(comment, posted, options, secrets)).toMatchObject([
    { body: { thread_ts: posted.messageId, text: "Comment by Ada\n&lt;!here&gt; x" } },
  ]);
  const shift: OutgoingMessage = {
    ...{ event: "event_reminder.going_on_call", at: 0, url: null, app: null },
    payload: {
      ...{ about: "shift", shift: {}, personName: "Ada", teamNames: ["Payments"], layer: 1, at: 0 },
    },
  };
  const { blocks } = bodyOf(shift);
  expect(areBlocks(blocks)).toBe(true);
  expect(blocks[0].text.text).toContain("Ada goes on call");
});
