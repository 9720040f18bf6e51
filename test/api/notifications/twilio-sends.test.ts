// SMS and calls through Twilio's REST API: the requests, and how each possible response is handled.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type BundledAlert,
  type ChannelMessage,
  EMPTY_RULE_VIEW,
} from "../../../src/domain/notifications/page.ts";
import { countSegments } from "../../../src/domain/notifications/sms-text.ts";
import { sms } from "../../../src/features/people/channels/sms.ts";
import { voice } from "../../../src/features/people/channels/voice.ts";
import { readCallbackToken } from "../../../src/products/phone/callback-url.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { codeOf, givePhone } from "../../support/people/phones.ts";
import { connectionLost, neverAnswers, serveAt } from "../../support/providers/outbound.ts";
import { openTwilio, type Twilio, twilioError, unescaped } from "../../support/providers/twilio.ts";
import { makePerson } from "../../support/worker/world.ts";

const ALERT = "01KA4Z8Q2N7M3P5R9T1V6W8X0Y";
const ID = "01KA4Z8Q2N7M3P5R9T1V6W8X99";
const PERSON = "person";

/** The notification that the token of a callback names; null if it is no callback of that kind. */
function notificationOf(kind: "calls" | "status", url: string | undefined) {
  const start = `https://tocsin.test/callbacks/twilio/${kind}/`;
  if (!url?.startsWith(start)) return null;
  return readCallbackToken(env, "twilio", kind, url.slice(start.length));
}

const NOTIFICATION = { accountId: "account", accountUserId: PERSON, id: ID };

function messageOf(title: string, more: Partial<ChannelMessage> = {}): ChannelMessage {
  return {
    accountId: "account",
    page: {
      effectId: "effect",
      event: "alert.open",
      accountUserId: PERSON,
      workflowId: null,
      layer: 1,
      pass: 1,
      at: 0,
      until: null,
      detail: null,
    },
    alert: {
      id: ALERT,
      version: 1,
      title,
      description: "A long story that has no place here",
      urgency: "critical",
      createdAt: 0,
      destinationName: "Payments",
    },
    notice: null,
    stage: 0,
    view: EMPTY_RULE_VIEW,
    bundle: null,
    ...more,
  };
}

let account: Account;
let twilio: Twilio;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  twilio = openTwilio();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const sendSms = (to: string, message = messageOf("Disk full")) =>
  sms.send(env, { channel: "sms", to }, message, ID);
const sendCall = (to: string, message = messageOf("Disk full")) =>
  voice.send(env, { channel: "voice", to }, message, ID);

const isBlocked = async (number: string) =>
  (
    await env.DB.prepare("select blocked from user_phones where phone = ?")
      .bind(number)
      .first<{ blocked: number }>()
  )?.blocked === 1;

describe("an SMS", () => {
  test("contains urgency, title and how to respond, and names the notification's status callback", async () => {
    const sent = await sendSms("+14155550123");
    const code = codeOf(PERSON, ID);
    expect(twilio.taken).toHaveLength(1);
    expect(twilio.taken[0]).toMatchObject({
      resource: "Messages",
      form: {
        From: env.TWILIO_FROM,
        To: "+14155550123",
        Body: `CRITICAL: Disk full\nReply A ${code} to acknowledge, P ${code} to pass on`,
      },
    });
    const { StatusCallback } = twilio.taken[0]?.form ?? {};
    expect(await notificationOf("status", StatusCallback)).toEqual(NOTIFICATION);
    expect(await notificationOf("calls", StatusCallback)).toBeNull();
    expect(sent).toEqual({ kind: "sent", providerId: twilio.taken[0]?.sid });
  });

  test("is sent through the messaging service if one is configured", async () => {
    vi.spyOn(env, "TWILIO_MESSAGING_SERVICE_SID", "get").mockReturnValue("MG1");
    expect((await sendSms("+14155550123")).kind).toBe("sent");
    expect(twilio.taken[0]?.form.MessagingServiceSid).toBe("MG1");
    expect(twilio.taken[0]?.form).not.toHaveProperty("From");
  });

  test("is truncated and in GSM-7, and still contains how to respond", async () => {
    await sendSms("+14155550123", messageOf(`“Größe” 🔥 ${"very ".repeat(200)}`));
    const body = twilio.taken[0]?.form.Body ?? "";
    expect(body.startsWith('CRITICAL: "Größe" very')).toBe(true);
    expect(body).toContain(`...\nReply A ${codeOf(PERSON, ID)} to`);
    expect(countSegments(body)).toBe(2);
  });

  test("lists several alerts with their codes", async () => {
    const one = { title: "Disk full", urgency: "high", createdAt: 0, layer: 1 } as const;
    const other = "01KA4Z8Q2N7M4P5R9T1V6W8X0Y";
    const alerts: [BundledAlert, BundledAlert] = [
      { ...one, id: ALERT, notificationId: ID, event: "alert.open" },
      { ...one, id: other, notificationId: other, title: "No power", event: "alert.open" },
    ];
    await sendSms("+14155550123", messageOf("", { bundle: { kind: "burst", alerts, total: 7 } }));
    expect(twilio.taken[0]?.form.Body).toBe(
      `HIGH: 7 alerts: ${codeOf(PERSON, ID)} Disk full; ${codeOf(PERSON, other)} No power` +
        "\nReply A or P and a code",
    );
  });

  test("requests no response if it only informs", async () => {
    const alertMessage = messageOf("Disk full");
    const page = { ...alertMessage.page, event: "alert.dropped" as const };
    await sendSms("+14155550123", { ...alertMessage, page });
    const notice = { schedule: "skd_x", subject: "You go on call at 09:00", text: "More" };
    await sendSms("+14155550123", { ...alertMessage, alert: null, notice });
    expect(twilio.taken.map(({ form }) => form.Body)).toEqual([
      "CRITICAL: Unanswered: Disk full",
      "You go on call at 09:00",
    ]);
  });
});

describe("a response from Twilio", () => {
  const html = () => new Response("<html>Bad gateway</html>", { status: 502 });
  test.each([
    ["rate limit", twilioError(429, 20429), "temporary", "Twilio: 20429, too many requests"],
    ["full queue", twilioError(400, 21611), "temporary", "the sender's queue is full"],
    ["outage", twilioError(503, 20500), "temporary", "Twilio: 20500"],
    ["outage of a proxy", html, "temporary", "Twilio answered 502"],
    ["wrong credentials", twilioError(401, 20003), "permanent", "the account's credentials"],
    ["country not permitted", twilioError(400, 21408), "permanent", "Twilio: 21408"],
    [
      "no error code",
      () => new Response("no", { status: 400 }),
      "permanent",
      "Twilio answered 400",
    ],
    [
      "redirect",
      () => new Response(null, { status: 307, headers: { Location: "https://twilio.test/x" } }),
      "permanent",
      "Twilio answered 307",
    ],
  ] as const)("%s", async (name, refusal, kind, reason) => {
    twilio.refusal = refusal;
    const number = await givePhone(account.accountUserId);
    const sent = await sendSms(number);
    expect(sent).toMatchObject({ kind, reason: expect.stringContaining(reason) });
    expect("areCredentialsRefused" in sent).toBe(name === "wrong credentials");
    expect(JSON.stringify(sent)).not.toContain("415555");
    expect(await isBlocked(number)).toBe(false);
    expect(twilio.asked).toBe(1);
  });

  test.each([
    ["the recipient has sent STOP", 21610],
    ["the number is not valid", 21211],
  ])("%s: blocks only that number", async (words, code) => {
    twilio.refusal = twilioError(400, code);
    const number = await givePhone(account.accountUserId);
    const other = await givePhone(account.accountUserId);
    expect(await sendSms(number)).toEqual({
      kind: "permanent",
      reason: `Twilio: ${code}, ${words}`,
    });
    expect(await isBlocked(number)).toBe(true);
    expect(await isBlocked(other)).toBe(false);
  });

  test("no response: a temporary failure", async () => {
    const unreachable = { kind: "temporary", reason: "Twilio could not be reached" };
    serveAt("twilio.test", connectionLost);
    expect(await sendSms("+14155550123")).toEqual(unreachable);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    serveAt("twilio.test", neverAnswers);
    expect(await sendSms("+14155550123")).toEqual(unreachable);
    expect(timeout).toHaveBeenCalledWith(8_000);
  });

  test("truncated success: the message is sent, and not sent again", async () => {
    twilio.refusal = () => new Response('{"sid": "SM', { status: 201 });
    expect(await sendSms("+14155550123")).toEqual({ kind: "sent", providerId: null });
    twilio.refusal = null;
    twilio.loseAnswer = true;
    expect((await sendSms("+14155550123")).kind).toBe("temporary");
    expect(twilio.taken).toHaveLength(1);
  });
});

describe("a call", () => {
  test("reads a reminder of a shift out twice and asks for nothing", async () => {
    const base = messageOf("");
    const reminder: ChannelMessage = {
      ...base,
      page: { ...base.page, event: "oncall.shift_reminder" },
      alert: null,
      notice: { schedule: "skd", subject: "You go on call now: R&D", text: "" },
    };
    expect((await sendCall("+14155550123", reminder)).kind).toBe("sent");
    const script = twilio.taken[0]?.form.Twiml ?? "";
    expect(script.match(/<Say>You go on call now: R&amp;D<\/Say>/g)).toHaveLength(2);
    expect(script).not.toContain("<Gather");
    const gap = { ...reminder, page: { ...reminder.page, event: "oncall.gap" as const } };
    expect((await sendCall("+14155550123", gap)).kind).toBe("permanent");
  });

  test("reads the alert out twice and accepts a digit", async () => {
    const sent = await sendCall("+14155550123", messageOf("Disk <full> & hot\u0007"));
    const { form, resource, sid } = twilio.taken[0] ?? {};
    expect(resource).toBe("Calls");
    expect(sent).toEqual({ kind: "sent", providerId: sid });
    expect(form).toMatchObject({
      From: env.TWILIO_FROM,
      To: "+14155550123",
    });
    expect(await notificationOf("status", form?.StatusCallback)).toEqual(NOTIFICATION);
    const script = form?.Twiml ?? "";
    expect(script).not.toContain("\u0007");
    const gathers = [...script.matchAll(/<Gather ([^>]*)>(.*?)<\/Gather>/g)];
    expect(gathers).toHaveLength(2);
    expect(gathers[0]?.[1]).toContain('numDigits="1"');
    const action = /action="([^"]*)"/.exec(gathers[0]?.[1] ?? "")?.[1];
    expect(await notificationOf("calls", action)).toEqual(NOTIFICATION);
    const spoken = [...(gathers[0]?.[2] ?? "").matchAll(/<Say>(.*?)<\/Say>/g)].map((it) =>
      unescaped(it[1] ?? ""),
    );
    expect(spoken).toEqual([
      "Tocsin alert, urgency critical. Disk <full> & hot.",
      "Press 1 to acknowledge, or 2 to pass on.",
    ]);
  });

  test("truncates a long alert", async () => {
    await sendCall("+14155550123", messageOf("<&>".repeat(5_000)));
    expect(twilio.taken[0]?.form.Twiml?.length).toBeLessThan(4_000);
  });

  test("is made only for open alerts and reminders", async () => {
    const alertMessage = messageOf("Disk full");
    const only = { kind: "permanent", reason: "calls are for alerts and reminders only" };
    const page = { ...alertMessage.page, event: "alert.acknowledged" as const };
    expect(await sendCall("+14155550123", { ...alertMessage, page })).toEqual(only);
    const notice = { schedule: "skd_x", subject: "You go on call", text: "" };
    expect(await sendCall("+14155550123", { ...alertMessage, alert: null, notice })).toEqual(only);
    expect(twilio.asked).toBe(0);
  });

  test("to a nonexistent number blocks the number", async () => {
    const person = await makePerson(account, "Cal");
    const number = await givePhone(person.accountUserId);
    twilio.refusal = twilioError(400, 13224);
    expect((await sendCall(number)).kind).toBe("permanent");
    expect(await isBlocked(number)).toBe(true);
  });
});

describe("channel support of a deployment with", () => {
  const without = (name: "TWILIO_FROM" | "TWILIO_AUTH_TOKEN" | "PUBLIC_URL") => ({
    ...env,
    [name]: "",
  });
  test.each([
    ["everything", env, true, true],
    ["no number", without("TWILIO_FROM"), false, false],
    ["no token", without("TWILIO_AUTH_TOKEN"), false, false],
    ["no public address", without("PUBLIC_URL"), true, false],
    [
      "a messaging service alone",
      { ...without("TWILIO_FROM"), TWILIO_MESSAGING_SERVICE_SID: "MG1" },
      true,
      false,
    ],
  ] as const)("%s", (_, bindings, hasSms, hasVoice) => {
    expect(sms.isSetUp(bindings as Cloudflare.Env)).toBe(hasSms);
    expect(voice.isSetUp(bindings as Cloudflare.Env)).toBe(hasVoice);
  });
});
