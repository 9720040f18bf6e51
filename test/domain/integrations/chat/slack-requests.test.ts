// Slack's requests and text: signatures, what is read of a payload, and what is escaped.
import { createHmac } from "node:crypto";
import { verifySlackRequest } from "slack-edge";
import { describe, expect, test } from "vitest";
import { isSignedBySlack } from "../../../../src/features/notifications/chat/slack-signature.ts";
import { readSlackAnswer } from "../../../../src/products/slack/api.ts";
import {
  readSlackChallenge,
  readSlackCommand,
  readSlackInteraction,
  readSlackReply,
} from "../../../../src/products/slack/read-requests.ts";
import {
  escapeText,
  readMention,
  readText,
  timeText,
} from "../../../../src/products/slack/text.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a signature", () => {
  // The example of Slack's documentation on verifying requests.
  const timestamp = "1531420618";
  const body =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V" +
    "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
    "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
    "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  const signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
  const at = Number(timestamp) * 1000;
  const headers = (time = timestamp, signed = signature) =>
    new Headers({ "X-Slack-Request-Timestamp": time, "X-Slack-Signature": signed });

  test("of the documentation is valid for five minutes", () => {
    expect(isSignedBySlack(SECRET, headers(), bytes(body), at)).toBe(true);
    expect(isSignedBySlack(SECRET, headers(), bytes(body), at + 300_000)).toBe(true);
    expect(isSignedBySlack(SECRET, headers(), bytes(body), at + 300_001)).toBe(false);
    expect(isSignedBySlack(SECRET, headers(), bytes(body), at - 300_001)).toBe(false);
  });

  test.each([
    ["another body", SECRET, headers(), `${body}x`],
    ["another secret", "x", headers(), body],
    ["no secret", "", headers(), body],
    ["another time", SECRET, headers("1531420619"), body],
    ["no time", SECRET, new Headers({ "X-Slack-Signature": signature }), body],
    ["a time that is no number", SECRET, headers("1531420618.0"), body],
    ["no signature", SECRET, new Headers({ "X-Slack-Request-Timestamp": timestamp }), body],
    ["another version", SECRET, headers(timestamp, signature.replace("v0", "v1")), body],
    ["upper case", SECRET, headers(timestamp, signature.toUpperCase()), body],
  ])("with %s is not valid", (_, secret, sent, text) => {
    expect(isSignedBySlack(secret, sent, bytes(text), at)).toBe(false);
  });

  test("is judged as by Slack's library, of any bytes", async () => {
    const now = Date.now();
    const time = String(Math.floor(now / 1000));
    for (const text of ["", "a=ü€😀", "payload=%7B%7D", "x".repeat(10_000)]) {
      const digest = createHmac("sha256", SECRET).update(`v0:${time}:${text}`).digest("hex");
      const sent = headers(time, `v0=${digest}`);
      expect(isSignedBySlack(SECRET, sent, bytes(text), now)).toBe(true);
      expect(await verifySlackRequest(SECRET, sent, text)).toBe(true);
    }
  });
});

describe("text", () => {
  test.each([
    ["<!channel> & <https://a.b|c>", "&lt;!channel&gt; &amp; &lt;https://a.b|c&gt;"],
    ["@channel *b* `c`", "@channel *b* `c`"],
  ])("%s from others makes no mention or link", (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test("from others is cut, entities included, and no surrogate is left", () => {
    expect(escapeText("<".repeat(5_000)).length).toBeLessThanOrEqual(2_900);
    expect(escapeText("😀".repeat(50), 21).isWellFormed()).toBe(true);
  });

  test.each([
    ["a &lt;b&gt; &amp;amp;", "a <b> &amp;"],
    [
      "<https://a.b/c|label> <https://a.b> <https://a.b|https://a.b>",
      "label (https://a.b/c) https://a.b https://a.b",
    ],
    ["<@U012|ada> <@U012> <#C012|general> <#C012>", "@ada @U012 #general #C012"],
    ["<!here> <!subteam^S01|@ops> <!date^1^{time}|10:02>", "@here @ops 10:02"],
    ["  <mailto:a@b.c|a@b.c> ", "a@b.c (mailto:a@b.c)"],
    ["a < b > c", "a < b > c"],
  ])("%s is read as people see it", (text, plain) => {
    expect(readText(text)).toBe(plain);
  });

  test("the first person who is mentioned", () => {
    expect(readMention("hi <@U0123|ada> <@W9|b>")).toBe("U0123");
    expect(readMention("hi @ada")).toBeNull();
  });

  test("an instant is shown by each reader's clock", () => {
    expect(timeText(Date.UTC(2026, 0, 31, 9, 30))).toBe("<!date^1769851800^{time}|09:30 UTC>");
  });
});

describe("an interaction", () => {
  const alertId = "01JJ5E6V7P8Q9R0STVWXYZ0123";
  const payload = (action: object, more: object = {}) => ({
    type: "block_actions",
    team: { id: "T012345" },
    user: { id: "U012345", username: "ada", team_id: "E012345" },
    response_url: "https://hooks.slack.com/actions/1",
    actions: [{ block_id: `alert:${alertId}`, ...action }],
    ...more,
  });
  const person = { workspaceId: "T012345", userId: "U012345", name: "ada" };
  const chosen = (action_id: string, value: string) => ({ action_id, selected_option: { value } });

  test.each([
    [{ action_id: "acknowledge" }, { kind: "acknowledge" }],
    [{ action_id: "reject" }, { kind: "reject" }],
    [{ action_id: "resolve" }, { kind: "resolve" }],
    [chosen("snooze", "60"), { kind: "snooze", minutes: 60 }],
    [
      chosen("hand_off", "tem_AAAAAAAAAAAAAA"),
      { kind: "hand_off", destinationId: "tem_AAAAAAAAAAAAAA" },
    ],
  ])("%j is an action", (action, expected) => {
    expect(readSlackInteraction(payload(action))).toEqual({
      ...{ kind: "action", person, alertId, action: expected },
      replyUrl: "https://hooks.slack.com/actions/1",
    });
  });

  test.each([
    payload({ action_id: "open" }),
    payload({ action_id: "snooze" }),
    payload(chosen("snooze", "61")),
    payload(chosen("hand_off", "rtr_AAAAAAAAAAAAAA")),
    payload({ action_id: "resolve", block_id: "alert:x" }),
    payload({ action_id: "resolve", block_id: "other" }),
    payload({ action_id: "resolve" }, { user: { id: "constructor" } }),
    payload({ action_id: "resolve" }, { user: null }),
    payload({ action_id: "resolve" }, { type: "view_submission" }),
    payload({ action_id: "resolve" }, { actions: [] }),
    ...[null, 1, "x", [], {}],
  ])("%j is none", (sent) => {
    expect(readSlackInteraction(sent)).toEqual({ kind: "other" });
  });

  test.each(["https://evil.example.com/", "http://[", "https://hooks.slack.com.evil.example.com/"])(
    "is not answered at %s",
    (url) => {
      const read = readSlackInteraction(payload({ action_id: "resolve" }, { response_url: url }));
      expect(read).toMatchObject({ kind: "action", replyUrl: null });
    },
  );

  test("may search a menu", () => {
    const suggestion = { type: "block_suggestion", action_id: "hand_off", value: "pay" };
    expect(readSlackInteraction(payload({}, suggestion))).toEqual({
      ...{ kind: "choices", person, search: "pay" },
    });
  });
});

test("a command has its name, text and person", () => {
  const form = (fields: Record<string, string>) => readSlackCommand(new URLSearchParams(fields));
  const who = { team_id: "T012345", user_id: "U012345", user_name: "ada" };
  expect(form({ command: "/page", text: " <@U9999|b> x &amp; y ", ...who })).toEqual({
    person: { workspaceId: "T012345", userId: "U012345", name: "ada" },
    ...{ name: "/page", text: "@b x & y", mentionedId: "U9999" },
  });
  expect(form({ command: "/page", text: "x" })).toBeNull();
  expect(form({ ...who })).toBeNull();
});

test("a challenge is only that of a verification", () => {
  expect(readSlackChallenge({ type: "url_verification", challenge: "c" })).toBe("c");
  expect(readSlackChallenge({ type: "event_callback", challenge: "c" })).toBeNull();
  expect(readSlackReply({ type: "url_verification", challenge: "c" })).toBeNull();
});

test.each([
  [
    200,
    { ok: true, channel: "C1", ts: "1.2" },
    { kind: "done", posted: { channel: "C1", messageId: "1.2" } },
  ],
  [200, { ok: true }, { kind: "done", posted: null }],
  [
    429,
    { ok: false, error: "ratelimited" },
    { kind: "again", reason: "Slack answered ratelimited" },
  ],
  [
    200,
    { ok: false, error: "fatal_error" },
    { kind: "again", reason: "Slack answered fatal_error" },
  ],
  [503, null, { kind: "again", reason: "Slack answered 503" }],
  [200, null, { kind: "again", reason: "Slack answered 200" }],
  [
    200,
    { ok: false, error: "is_archived" },
    { kind: "refused", reason: "Slack answered is_archived" },
  ],
  [
    200,
    { ok: false, error: "message_not_found" },
    { kind: "lost", reason: "Slack answered message_not_found" },
  ],
  [200, { ok: false, error: "xoxb-secret <b>" }, { kind: "again", reason: "Slack answered 200" }],
])("the answer %i %j means %j", (status, body, outcome) => {
  expect(readSlackAnswer(status, body)).toEqual(outcome);
});
