// Which provider is used: the configured order, what recent deliveries say of it, and what follows
// when one does not accept a message.
import { describe, expect, test } from "vitest";
import { orderOf } from "../../../src/domain/notifications/configured-order.ts";
import {
  deliveryDeadline,
  outcomeOf,
  type RecordedDelivery,
  unconfirmedReason,
} from "../../../src/domain/notifications/delivery-deadline.ts";
import { markedId, providerOf } from "../../../src/domain/notifications/provider-id.ts";
import {
  orderProviders,
  type ProviderOutcome,
} from "../../../src/domain/notifications/provider-order.ts";
import {
  isForNextProvider,
  outcomeOfRefusals,
} from "../../../src/domain/notifications/refusals.ts";
import { phoneProvidersOf } from "../../../src/domain/people/phone-provider.ts";

const NOW = Date.UTC(2026, 0, 31, 9);
const MINUTE = 60_000;

const KNOWN = ["twilio", "vonage", "telnyx"] as const;

describe("the configured order", () => {
  test.each([
    ["nothing", undefined, ["twilio", "vonage", "telnyx"]],
    ["an empty text", " ", ["twilio", "vonage", "telnyx"]],
    ["a list", "telnyx,twilio", ["telnyx", "twilio"]],
    ["spaces and capitals", " Vonage, TWILIO ", ["vonage", "twilio"]],
    ["unknown names and repetitions", "vonage,constructor,vonage", ["vonage"]],
  ])("of %s", (_, variable, expected) => {
    expect(orderOf(variable, KNOWN)).toEqual(expected);
  });

  const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+1" };
  const vonage = { VONAGE_API_KEY: "k", VONAGE_API_SECRET: "s", VONAGE_FROM: "+2" };
  const telnyx = { TELNYX_API_KEY: "k", TELNYX_FROM: "+3" };
  const application = { TELNYX_APPLICATION_ID: "1", TELNYX_PUBLIC_KEY: "p" };
  test.each([
    ["nothing", {}, [], []],
    ["Twilio", twilio, ["twilio"], ["twilio"]],
    ["a token alone", { TWILIO_AUTH_TOKEN: "t" }, [], []],
    [
      "a messaging service",
      { ...twilio, TWILIO_FROM: "", TWILIO_MESSAGING_SERVICE_SID: "MG1" },
      ["twilio"],
      [],
    ],
    ["all", { ...telnyx, ...vonage, ...twilio }, ["twilio", "vonage", "telnyx"], ["twilio"]],
    ["Telnyx with an application", { ...telnyx, ...application }, ["telnyx"], ["telnyx"]],
    [
      "an order per channel",
      {
        ...twilio,
        ...telnyx,
        ...application,
        SMS_PROVIDERS: "telnyx,twilio",
        VOICE_PROVIDERS: "twilio",
      },
      ["telnyx", "twilio"],
      ["twilio"],
    ],
  ])("of a deployment with %s", (_, settings, sms, voice) => {
    expect(phoneProvidersOf(settings, "sms")).toEqual(sms);
    expect(phoneProvidersOf(settings, "voice")).toEqual(voice);
  });
});

describe("the order by recent deliveries", () => {
  const ago = (minutes: number) => NOW - minutes * MINUTE;
  const delivered = (provider: string, minutes: number, seconds = 3): ProviderOutcome => ({
    ...{ provider, at: ago(minutes), kind: "delivered", latencyMs: seconds * 1000 },
  });
  const failed = (
    kind: "unconfirmed" | "refused",
    provider: string,
    minutes: number,
  ): ProviderOutcome => ({ provider, at: ago(minutes), kind });
  const undelivered = (provider: string, minutes: number, recipient: string): ProviderOutcome => ({
    ...{ provider, at: ago(minutes), kind: "undelivered", recipient },
  });
  const times = (n: number, make: (i: number) => ProviderOutcome) => [...Array(n).keys()].map(make);

  test.each<[string, ProviderOutcome[], string]>([
    ["nothing is known", [], "twilio vonage telnyx"],
    ["all deliver", KNOWN.map((name) => delivered(name, 1)), "twilio vonage telnyx"],
    ["the first was just refused", [failed("refused", "twilio", 0)], "vonage telnyx twilio"],
    ["the first confirmed nothing", [failed("unconfirmed", "twilio", 5)], "vonage telnyx twilio"],
    ["that was some time ago", [failed("unconfirmed", "twilio", 16)], "twilio vonage telnyx"],
    [
      "it delivers otherwise",
      [failed("unconfirmed", "twilio", 1), ...times(4, (i) => delivered("twilio", i))],
      "twilio vonage telnyx",
    ],
    [
      "one phone was off, many times",
      times(9, (i) => undelivered("twilio", i, "ada")),
      "twilio vonage telnyx",
    ],
    [
      "several people were not reached",
      [undelivered("twilio", 1, "ada"), undelivered("twilio", 2, "bob")],
      "vonage telnyx twilio",
    ],
    [
      "all fail, the second least",
      [
        ...times(3, () => failed("refused", "twilio", 1)),
        ...[failed("refused", "vonage", 1), delivered("vonage", 1)],
        ...times(3, () => failed("refused", "telnyx", 1)),
      ],
      "vonage twilio telnyx",
    ],
    [
      "the first is slow, the third is not",
      [
        ...times(3, (i) => delivered("twilio", i, 40)),
        ...times(3, (i) => delivered("telnyx", i, 4)),
      ],
      "vonage telnyx twilio",
    ],
    [
      "all are slow alike",
      KNOWN.flatMap((name) => times(3, (i) => delivered(name, i, 40))),
      "twilio vonage telnyx",
    ],
    [
      "one slow delivery",
      [delivered("twilio", 1, 200), ...times(3, (i) => delivered("telnyx", i, 4))],
      "twilio vonage telnyx",
    ],
    [
      "a slow one and a failing one",
      [
        ...times(3, (i) => delivered("vonage", i, 40)),
        ...times(3, (i) => delivered("telnyx", i, 4)),
        failed("refused", "twilio", 1),
      ],
      "telnyx vonage twilio",
    ],
    [
      "the failure and the slow deliveries are old",
      [
        failed("refused", "twilio", 121),
        ...times(3, (i) => delivered("twilio", 121 + i, 40)),
        ...times(3, (i) => delivered("telnyx", i, 4)),
      ],
      "twilio vonage telnyx",
    ],
    ["a clock set back", [failed("refused", "twilio", -10)], "vonage telnyx twilio"],
    ["a provider that is gone", [failed("refused", "elsewhere", 1)], "twilio vonage telnyx"],
  ])("when %s", (_, outcomes, expected) => {
    expect(orderProviders(KNOWN, outcomes, NOW).join(" ")).toBe(expected);
    expect(orderProviders(KNOWN, outcomes.toReversed(), NOW).join(" ")).toBe(expected);
  });
});

describe("what a notification says of its provider", () => {
  const row: RecordedDelivery = {
    accountUserId: "ada",
    channel: "sms",
    status: "sent",
    providerId: "vonage:1",
    reason: null,
    sentAt: NOW - 46_000,
    deliveredAt: null,
    failedAt: null,
  };
  test.each<[string, Partial<RecordedDelivery>, object | null]>([
    ["no report in time", {}, { kind: "unconfirmed", provider: "vonage", at: NOW - 1_000 }],
    ["no report yet", { sentAt: NOW - 44_000 }, null],
    ["Twilio's id", { providerId: "SM1" }, { provider: "twilio" }],
    ["an id of a mail", { channel: "email", providerId: "re-1" }, { provider: "resend" }],
    ["never accepted", { providerId: null }, null],
    [
      "delivered",
      { status: "delivered", deliveredAt: NOW - 40_000 },
      { kind: "delivered", latencyMs: 6_000, at: NOW - 40_000 },
    ],
    [
      "delivered before the sending was recorded",
      { status: "delivered", deliveredAt: NOW - 47_000 },
      { kind: "delivered", latencyMs: 0 },
    ],
    [
      "reported as failed",
      { status: "failed", failedAt: NOW, reason: "Vonage: 1100" },
      { kind: "undelivered", recipient: "ada", at: NOW },
    ],
    [
      "given up for want of a report",
      { status: "failed", failedAt: NOW, reason: unconfirmedReason(45) },
      { kind: "unconfirmed", at: NOW },
    ],
  ])("%s", (_, more, expected) => {
    const outcome = outcomeOf({ ...row, ...more }, 45, NOW);
    if (expected === null) expect(outcome).toBeNull();
    else expect(outcome).toMatchObject(expected);
  });

  test("without a deadline nothing is missing", () => {
    expect(outcomeOf(row, null, NOW)).toBeNull();
  });

  test.each([
    ["45", 45],
    ["", null],
    ["off", null],
    ["0", null],
    ["-5", null],
    ["99999", null],
  ])("the deadline %j", (variable, seconds) => {
    expect(deliveryDeadline({ SMS_UNDELIVERED_SECONDS: variable }, "sms")).toBe(seconds);
  });

  test.each([
    ["twilio", "sms", "SM1"],
    ["vonage", "voice", "vonage:1"],
    ["resend", "email", "1"],
    ["mailgun", "email", "mailgun:1"],
  ])("%s marks its ids", (provider, channel, stored) => {
    const id = stored.replace(`${provider}:`, "");
    expect(markedId(provider, id)).toBe(stored);
    expect(providerOf(channel, stored)).toBe(provider);
  });
});

describe("a refused message", () => {
  const temporary = { kind: "temporary", reason: "A: 503" } as const;
  const permanent = { kind: "permanent", reason: "B: no credit" } as const;
  const ofNumber = {
    kind: "permanent",
    reason: "B: no such number",
    isRecipientAtFault: true,
  } as const;

  test.each([
    [temporary, true],
    [permanent, true],
    [ofNumber, false],
  ])("%o goes to the next provider: %s", (refusal, expected) => {
    expect(isForNextProvider(refusal)).toBe(expected);
  });

  test.each([
    [
      "all temporary",
      [temporary, { ...temporary, reason: "C: 500" }],
      "temporary",
      "A: 503; C: 500",
    ],
    ["one temporary", [permanent, temporary], "temporary", "B: no credit; A: 503"],
    ["all permanent", [permanent], "permanent", "B: no credit"],
    ["the number is at fault", [temporary, ofNumber], "permanent", "B: no such number"],
    ["no provider", [], "permanent", "no provider is configured"],
  ] as const)("%s", (_, refusals, kind, reason) => {
    expect(outcomeOfRefusals(refusals)).toEqual({ kind, reason });
  });

  test("waits for the provider that is back first", () => {
    const first = { ...temporary, retryAfterMs: 9_000 };
    const second = { ...temporary, retryAfterMs: 5_000 };
    expect(outcomeOfRefusals([first, second])).toMatchObject({ retryAfterMs: 5_000 });
    expect(outcomeOfRefusals([first, temporary])).not.toHaveProperty("retryAfterMs");
  });
});
