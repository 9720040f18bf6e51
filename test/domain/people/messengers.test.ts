// The requests of messengers, and what their providers' answers mean: tables over pure functions.
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { EMPTY_RULE_VIEW } from "../../../src/domain/notifications/page.ts";
import { secretFieldKeys } from "../../../src/domain/people/messengers.ts";
import { buildContent } from "../../../src/products/content.ts";
import type { Messenger, MessengerContent } from "../../../src/products/messenger.ts";
import { gotify } from "../../../src/products/messengers/gotify.ts";
import { matrix } from "../../../src/products/messengers/matrix.ts";
import { ntfy } from "../../../src/products/messengers/ntfy.ts";
import { pushover } from "../../../src/products/messengers/pushover.ts";
import { readButton, telegram, updateSecret } from "../../../src/products/messengers/telegram.ts";
import { webhook } from "../../../src/products/messengers/webhook.ts";
import { whatsapp } from "../../../src/products/phone/twilio-whatsapp.ts";
import { slack } from "../../../src/products/slack/direct-message.ts";
import { teams } from "../../../src/products/teams/direct-message.ts";
import { areBlocks } from "../../support/providers/chat/slack-blocks.ts";
import { isMessage as isTeamsMessage } from "../../support/providers/chat/teams-message.ts";

const ALL = [ntfy, pushover, telegram, whatsapp, slack, teams, gotify, matrix, webhook];
const ENV = {
  PUBLIC_URL: "https://tocsin.test",
  LINK_SECRET: "secret",
  PUSHOVER_TOKEN: "azGDORePK8gMaC0QOYAMyEEuzJnyUi",
  TELEGRAM_BOT_TOKEN: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  TWILIO_ACCOUNT_SID: "AC1",
  TWILIO_AUTH_TOKEN: "token",
  WHATSAPP_FROM: "+14155238886",
  WHATSAPP_CONTENT_SID: "HX1",
} as unknown as Cloudflare.Env;

const NOW = Date.parse("2026-11-01T08:00:00Z");
const PERSON = "01KA4Z8Q2N7M3P5R9T1V6W8X0Y";
const NOTIFICATION = "01KA4Z8Q2N7M3P5R9T1V6W8X0Z";

const page: MessengerContent = {
  id: NOTIFICATION,
  accountUserId: PERSON,
  at: NOW,
  event: "alert.open",
  title: "Disk full",
  body: "97 % of /var",
  url: "https://tocsin.test/a/token",
  urgency: "critical",
  alertId: "alt_jGWQswcorlPxJQ",
  recordId: "01KA4Z8Q2N7M3P5R9T1V6W8X0X",
  asks: true,
  until: NOW + 600_000,
  callbackUrl: "https://tocsin.test/callbacks/pushover/token",
  statusUrl: "https://tocsin.test/callbacks/twilio/status/a/b/c",
};

const SECRET = `whsec_${btoa("0123456789abcdef01234567")}`;
const SETTINGS: Readonly<Record<string, string>> = {
  server: "https://own.example.com/",
  topic: "pages",
  token: "secret-token",
  user_key: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
  chat_id: "4242",
  room_id: "!room/1:example.com",
  url: "https://own.example.com/hook",
  secret: SECRET,
  number: "+14155550123",
  member_id: "U0123ABCDEF",
  service: "https://smba.trafficmanager.net/emea/",
  conversation: "a:1",
};

const requestOf = (messenger: Messenger, more: Partial<MessengerContent> = {}) =>
  messenger.request(ENV, SETTINGS, { ...page, ...more });
const jsonOf = (messenger: Messenger, more?: Partial<MessengerContent>) =>
  JSON.parse(requestOf(messenger, more).body);
const formOf = (more?: Partial<MessengerContent>) =>
  Object.fromEntries(new URLSearchParams(requestOf(pushover, more).body));

describe("a request", () => {
  test.each([
    ["critical", 5, "2", 10],
    ["high", 5, "2", 8],
    ["medium", 4, "0", 5],
    ["low", 2, "-1", 2],
    ["silent", 1, "-2", 0],
    [null, 3, "0", 5],
  ] as const)("has the priority of urgency %s", (urgency, atNtfy, atPushover, atGotify) => {
    expect(jsonOf(ntfy, { urgency }).priority).toBe(atNtfy);
    expect(formOf({ urgency }).priority).toBe(atPushover);
    expect(jsonOf(gotify, { urgency }).priority).toBe(atGotify);
  });

  test.each([
    ["until the layer ends", NOW + 600_000, "600"],
    ["five minutes at least", NOW + 1_000, "300"],
    ["three hours at most", NOW + 86_400_000, "10800"],
    ["three hours without an end", null, "10800"],
  ])("to Pushover repeats %s", (_, until, expire) => {
    expect(formOf({ until })).toMatchObject({ retry: "60", expire, callback: page.callbackUrl });
  });

  test.each([
    ["another event", { asks: false }],
    ["medium urgency", { urgency: "medium" as const }],
  ])("to Pushover does not repeat for %s", (_, more) => {
    const form = formOf(more);
    expect(form.priority).not.toBe("2");
    expect(Object.keys(form)).not.toContain("retry");
    expect(Object.keys(form)).not.toContain("callback");
  });

  test("has buttons only for an alert that asks for an answer", () => {
    const actions = ({ asks }: { asks: boolean }) =>
      jsonOf(ntfy, { asks }).actions.map((it: { action: string }) => it.action);
    expect(actions({ asks: true })).toEqual(["view", "http"]);
    expect(actions({ asks: false })).toEqual(["view"]);
    expect(jsonOf(ntfy, { url: null })).not.toHaveProperty("actions");
    const rows = jsonOf(telegram).reply_markup.inline_keyboard;
    const data: string[] = rows[0].map((it: { callback_data: string }) => it.callback_data);
    expect(data.map((it) => it.length <= 64)).toEqual([true, true]);
    const named = { accountUserId: PERSON, id: NOTIFICATION };
    expect(data.map(readButton)).toEqual([
      { isAcknowledged: true, ...named },
      { isAcknowledged: false, ...named },
    ]);
    expect(jsonOf(telegram, { asks: false, url: null }).reply_markup.inline_keyboard).toEqual([]);
  });

  test.each(["", "a", "x:1:2", `a:${PERSON}`, `a:${PERSON}:${NOTIFICATION}:1`])(
    "of a button with the data %j is not ours",
    (data) => {
      expect(readButton(data)).toBeNull();
    },
  );

  test("is plain text, whatever the title says", () => {
    const title = "<b>@room</b> [x](https://evil.example.com) *bold*";
    expect(jsonOf(telegram, { title })).not.toHaveProperty("parse_mode");
    expect(jsonOf(ntfy, { title })).not.toHaveProperty("markdown");
    expect(formOf({ title })).not.toHaveProperty("html");
    expect(jsonOf(matrix, { title })).not.toHaveProperty("formatted_body");
    expect(jsonOf(matrix, { title })["m.mentions"]).toEqual({});
    expect(jsonOf(gotify, { title }).extras["client::display"].contentType).toBe("text/plain");
  });

  test("fits the provider's limits, and always has a text", () => {
    const long = {
      title: "😀".repeat(3_000),
      body: "x".repeat(9_000),
      url: `https://${"u".repeat(600)}`,
    };
    expect(formOf(long)).not.toHaveProperty("url");
    expect(formOf(long).title?.length).toBeLessThanOrEqual(250);
    expect(formOf(long).message?.length).toBeLessThanOrEqual(1_024);
    expect(jsonOf(telegram, long).text.length).toBeLessThanOrEqual(4_096);
    expect(
      new TextEncoder().encode(requestOf(ntfy, { ...long, url: null }).body).length,
    ).toBeLessThan(4_096);
    const empty = { title: "Disk full", body: "" };
    expect(formOf(empty).message).toBe("Disk full");
    expect([jsonOf(ntfy, empty).message, jsonOf(gotify, empty).message]).toEqual([
      "Disk full",
      "Disk full",
    ]);
  });

  test("to Slack has buttons that name the alert, only if it asks for an answer", () => {
    const blocksOf = (more: Partial<MessengerContent>) => jsonOf(slack, more).blocks;
    const idsOf = (more: Partial<MessengerContent>) => {
      const { elements, block_id: id } = blocksOf(more).at(-1);
      return [id, ...elements.map((it: { action_id: string }) => it.action_id)];
    };
    expect(idsOf({})).toEqual([`alert:${page.recordId}`, "acknowledge", "reject", "open"]);
    expect(idsOf({ asks: false })).toEqual([`alert:${page.recordId}`, "open"]);
    expect(blocksOf({ asks: false, url: null }).at(-1).type).toBe("section");
    const hostile = { title: "<!channel> & <@U1>".repeat(200), body: "\ud800".repeat(9_000) };
    for (const more of [{}, hostile, { title: "", body: "" }]) {
      expect(areBlocks(blocksOf(more))).toBe(true);
    }
    expect(jsonOf(slack, hostile).text).toMatch(/^&lt;!channel&gt; &amp;/);
    expect(jsonOf(slack)).toMatchObject({ channel: "U0123ABCDEF", unfurl_links: false });
    expect(requestOf(slack).headers).toMatchObject({ Authorization: "Bearer secret-token" });
  });

  test("to Teams has a card with buttons that name the alert, only if it asks for an answer", () => {
    const cardOf = (more: Partial<MessengerContent>) => {
      const body = jsonOf(teams, more);
      expect(isTeamsMessage(body)).toBe(true);
      return body.attachments[0].content;
    };
    const verbsOf = (more: Partial<MessengerContent>) =>
      cardOf(more).actions.map((it: Record<string, any>) => [it.verb, it.data?.alert, it.url]);
    expect(verbsOf({})).toEqual([
      ["acknowledge", page.recordId, undefined],
      ["reject", page.recordId, undefined],
      [undefined, undefined, page.url],
    ]);
    expect(verbsOf({ asks: false, url: null })).toEqual([]);
    const title = "**bold** [x](https://evil.example.com)";
    expect(cardOf({ title }).body[0].inlines[0].text).toBe(title);
    cardOf({ title: "x".repeat(2_000), body: "\ud800".repeat(70_000) });
    expect(requestOf(teams).url).toBe(
      "https://smba.trafficmanager.net/emea/v3/conversations/a%3A1/activities",
    );
  });

  test("names the room and the transaction in the path, escaped", () => {
    const { method, url } = requestOf(matrix);
    expect([method, new URL(url).pathname]).toEqual([
      "PUT",
      `/_matrix/client/v3/rooms/!room%2F1%3Aexample.com/send/m.room.message/${NOTIFICATION}`,
    ]);
  });

  test("of a webhook is signed with the person's secret", () => {
    const { body, headers } = requestOf(webhook);
    expect(new Webhook(SECRET).verify(body, { ...headers })).toMatchObject({ type: "alert.open" });
    const other = new Webhook(`whsec_${btoa("76543210fedcba9876543210")}`);
    expect(() => other.verify(body, { ...headers })).toThrow();
  });

  test("that ends a message names it", () => {
    const closing = { title: "Disk full", outcome: "Acknowledged by Ada" };
    expect(pushover.close?.(ENV, SETTINGS, "r1", closing).url).toBe(
      "https://api.pushover.net/1/receipts/r1/cancel.json",
    );
    const update = slack.close?.(ENV, SETTINGS, "D1:17.1", closing);
    expect(update?.url).toBe("https://slack.com/api/chat.update");
    expect(JSON.parse(update?.body ?? "")).toMatchObject({
      ...{ channel: "D1", ts: "17.1", text: "Acknowledged by Ada: Disk full" },
    });
    const replaced = teams.close?.(ENV, SETTINGS, "1700", closing);
    expect([replaced?.method, replaced?.url]).toEqual([
      "PUT",
      "https://smba.trafficmanager.net/emea/v3/conversations/a%3A1/activities/1700",
    ]);
    const edit = telegram.close?.(ENV, SETTINGS, "17", closing);
    expect(JSON.parse(edit?.body ?? "")).toMatchObject({
      message_id: 17,
      text: "Acknowledged by Ada: Disk full",
    });
  });
});

const sent = (providerId: string | null) => ({ kind: "sent", providerId });
const temporary = (reason: string, retryAfterMs?: number) => ({
  kind: "temporary",
  reason,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const permanent = (reason: string) => ({ kind: "permanent", reason });

describe("an answer", () => {
  test.each<[Messenger, number, unknown, string | null, object]>([
    [ntfy, 200, { id: "xE73Iyuabi" }, null, sent("xE73Iyuabi")],
    [ntfy, 429, { code: 42901 }, null, temporary("ntfy answered 429: too many messages")],
    [ntfy, 429, {}, "30", temporary("ntfy answered 429: too many messages", 30_000)],
    [ntfy, 403, {}, null, permanent("ntfy answered 403: the token may not write to the topic")],
    [ntfy, 502, null, null, temporary("ntfy answered 502")],
    [ntfy, 301, null, null, permanent("ntfy answered 301")],
    [pushover, 200, { status: 1, request: "q", receipt: "r1" }, null, sent("r1")],
    [pushover, 200, { status: 1, request: "q" }, null, sent(null)],
    [
      pushover,
      400,
      { status: 0, user: "invalid", errors: ["user key uQiRzpo4DX is invalid"] },
      null,
      permanent(
        "Pushover answered 400: the user key, the device or the application token is not valid",
      ),
    ],
    [
      pushover,
      429,
      {},
      null,
      permanent("Pushover answered 429: the application's monthly limit is reached"),
    ],
    [pushover, 500, {}, null, temporary("Pushover answered 500")],
    [slack, 200, { ok: true, channel: "D1", ts: "17.1" }, null, sent("D1:17.1")],
    [
      slack,
      200,
      { ok: false, error: "user_not_found" },
      null,
      permanent("Slack answered user_not_found"),
    ],
    [
      slack,
      200,
      { ok: false, error: "internal_error" },
      null,
      temporary("Slack answered internal_error"),
    ],
    [slack, 200, null, null, temporary("Slack answered what is no answer of Slack's")],
    [
      slack,
      429,
      { ok: false, error: "ratelimited" },
      "30",
      temporary("Slack answered 429: ratelimited", 30_000),
    ],
    [slack, 503, null, null, temporary("Slack answered 503: no reason")],
    [teams, 201, { id: "1700" }, null, sent("1700")],
    [
      teams,
      403,
      { error: { code: "Forbidden" } },
      null,
      permanent("Teams answered 403: Forbidden"),
    ],
    [teams, 502, null, null, temporary("Teams answered 502")],
    [telegram, 200, { ok: true, result: { message_id: 17 } }, null, sent("17")],
    [
      telegram,
      429,
      { ok: false, parameters: { retry_after: 14 } },
      null,
      temporary("Telegram answered 429: too many messages", 14_000),
    ],
    [
      telegram,
      403,
      { ok: false, description: "Forbidden: bot was blocked by the user" },
      null,
      permanent("Telegram answered 403: the person has blocked the bot"),
    ],
    [gotify, 200, { id: 25 }, null, sent("25")],
    [gotify, 401, {}, null, permanent("Gotify answered 401: the application token was refused")],
    [matrix, 200, { event_id: "$1" }, null, sent("$1")],
    [
      matrix,
      429,
      { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 2_000 },
      null,
      temporary("Matrix answered 429: too many messages", 2_000),
    ],
    [matrix, 403, {}, null, permanent("Matrix answered 403: the account is not in the room")],
    [webhook, 204, null, null, sent(null)],
    [webhook, 410, null, null, permanent("the webhook answered 410: the address no longer exists")],
    [webhook, 503, null, "5", temporary("the webhook answered 503", 5_000)],
  ])("%# is classified", (messenger, status, body, retryAfter, expected) => {
    expect(messenger.read({ status, body, retryAfter }, NOW)).toEqual(expected);
  });
});

describe("a messenger", () => {
  test.each(ALL)("%# masks its secret fields", ({ fields }) => {
    for (const { key, secret } of fields) {
      expect([key, secretFieldKeys.includes(key)]).toEqual([key, secret === true]);
    }
  });

  test("registers with Telegram by a secret that is not the bot's token", () => {
    const token = ENV.TELEGRAM_BOT_TOKEN ?? "";
    expect(updateSecret(token)).toMatch(/^[A-Za-z0-9_-]{1,256}$/);
    expect(updateSecret(`${token}x`)).not.toBe(updateSecret(token));
  });

  test("says a hostile title as one line", async () => {
    const title = "Disk\r\nfull\u0000\u202e evil\u2028\ttitle";
    const alert = {
      ...{ id: PERSON, version: 1, title, description: "a\r\nb\u0007", urgency: "high" as const },
      ...{ createdAt: 0, destinationName: "Payments" },
    } as const;
    const asked = { effectId: "e", event: "alert.open", accountUserId: PERSON } as const;
    const timing = { layer: 1, pass: 1, at: NOW, until: null, detail: null, workflowId: null };
    const message = { accountId: PERSON, page: { ...asked, ...timing }, alert, notice: null };
    const whole = { ...message, stage: 0, view: EMPTY_RULE_VIEW, bundle: null };
    const content = await buildContent(ENV, whole, NOTIFICATION, pushover);
    expect(content).toMatchObject({ title: "Disk full evil title", body: "a\nb", asks: true });
    expect(content.callbackUrl).toMatch(/^https:\/\/tocsin\.test\/callbacks\/pushover\/ey/);
    expect((content.url ?? "").length).toBeLessThanOrEqual(512);
  });
});
