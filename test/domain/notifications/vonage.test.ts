// Vonage: its instructions for calls, its callbacks, and the verification of their signature.
// Payloads: developer.vonage.com/en/messages/concepts/webhooks, /en/voice/voice-api/webhook-reference
// and /en/getting-started/concepts/webhooks (signed webhooks).
import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { nccoOf, vonage } from "../../../src/products/phone/vonage.ts";
import { isSignedByVonage } from "../../../src/products/phone/vonage-tokens.ts";

const UUID = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";

describe("instructions for a call", () => {
  const url = "https://tocsin.test/callbacks/vonage/calls/a/b/c";

  test("read a question twice and take one digit", () => {
    const ask = { kind: "ask", texts: ["Disk full.\u0007", "Press 1."] } as const;
    const end = { kind: "say", text: "No key was pressed." } as const;
    expect(nccoOf([{ kind: "pause", seconds: 1 }, ask, ask, end], url)).toEqual([
      { action: "talk", text: "Disk full.  Press 1. Disk full.  Press 1.", bargeIn: true },
      {
        action: "input",
        type: ["dtmf"],
        dtmf: { maxDigits: 1, timeOut: 8 },
        eventUrl: [url],
      },
    ]);
  });

  test("without a question only talk", () => {
    const script = [
      { kind: "say", text: "Hello." } as const,
      { kind: "pause", seconds: 1 } as const,
    ];
    expect(nccoOf(script, null)).toEqual([{ action: "talk", text: "Hello." }]);
  });
});

describe("a delivery report", () => {
  const error = (code: string) => ({
    type: `https://developer.vonage.com/api-errors/messages#${code}`,
    title: code,
    detail: "to +14155550123",
  });
  const message = { message_uuid: UUID, channel: "sms", to: "14155550123", from: "14155550101" };
  const failed = { status: "failed", id: UUID, isUnsubscribed: false };
  const going = { id: UUID, reason: null, isRecipientAtFault: false, isUnsubscribed: false };

  test.each([
    [
      { ...message, status: "submitted" },
      { ...going, status: "sent" },
    ],
    [
      { ...message, status: "delivered" },
      { ...going, status: "delivered" },
    ],
    [
      { ...message, status: "rejected", error: error("1170") },
      { ...failed, reason: "Vonage: 1170, the number is not valid", isRecipientAtFault: true },
    ],
    [
      { ...message, status: "undeliverable", error: error("1100") },
      {
        ...failed,
        reason: "Vonage: 1100, the carrier could not be reached",
        isRecipientAtFault: false,
      },
    ],
    [
      { uuid: UUID, status: "ringing" },
      { ...going, status: "sent" },
    ],
    [
      { uuid: UUID, status: "completed", duration: "9" },
      { ...going, status: "delivered" },
    ],
    [
      { uuid: UUID, status: "unanswered" },
      { ...failed, reason: "the call was not answered", isRecipientAtFault: true },
    ],
    [
      { uuid: UUID, status: "failed" },
      { ...failed, reason: "Vonage could not make the call", isRecipientAtFault: false },
    ],
    [{ uuid: UUID, status: "constructor" }, null],
    [{ uuid: UUID, type: "transfer" }, null],
  ])("%o", (body, expected) => {
    expect(vonage.readReport(JSON.stringify(body))).toEqual(expected);
  });

  test.each(["", "null", "[]", "{", '"text"'])("%j is none", (body) => {
    expect(vonage.readReport(body)).toBeNull();
    expect(vonage.readSms(body)).toBeNull();
    expect(vonage.readKeyPress(body)).toEqual({ id: "", digit: "" });
  });
});

test("an inbound SMS and a digit are read", () => {
  const sms = { channel: "sms", message_uuid: UUID, to: "14155550101", from: "447700900001" };
  expect(vonage.readSms(JSON.stringify({ ...sms, text: "A 4821" }))).toEqual({
    id: UUID,
    from: "+447700900001",
    to: "+14155550101",
    text: "A 4821",
  });
  expect(vonage.readSms(JSON.stringify({ ...sms, channel: "whatsapp" }))).toBeNull();
  expect(vonage.readSms(JSON.stringify({ ...sms, message_uuid: undefined }))).toBeNull();
  const pressed = (dtmf: object) => vonage.readKeyPress(JSON.stringify({ uuid: UUID, dtmf }));
  expect(pressed({ digits: "1", timed_out: false })).toEqual({ id: UUID, digit: "1" });
  expect(pressed({ digits: "", timed_out: true })).toEqual({ id: UUID, digit: "" });
});

describe("the signature of a callback", () => {
  const NOW = Date.UTC(2026, 0, 31, 9);
  const SECRET = "the account's signature secret";
  const BODY = '{"message_uuid":"1","status":"delivered"}';
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const claims = {
    iat: NOW / 1000 - 1,
    jti: "c5ba8f24-1a14-4c10-bfdf-3fbe8ce511b5",
    iss: "Vonage",
    payload_hash: digest(BODY),
    api_key: "abcd1234",
  };
  function token(more: object = {}, header: object = { alg: "HS256", typ: "JWT" }): string {
    const content = `${encoded(header)}.${encoded({ ...claims, ...more })}`;
    return `${content}.${createHmac("sha256", SECRET).update(content).digest("base64url")}`;
  }
  const check = (authorization: string, body = BODY, secret = SECRET) => {
    const headers = new Headers({ authorization });
    return isSignedByVonage(secret, "abcd1234", { url: "", headers, body, now: NOW });
  };

  test("is verified, also if the body is written otherwise", async () => {
    expect(await check(`Bearer ${token()}`)).toBe(true);
    expect(await check(`Bearer ${token()}`, '{ "message_uuid": "1", "status": "delivered" }')).toBe(
      true,
    );
  });

  test.each<[string, string, string?, string?]>([
    ["another body", `Bearer ${token()}`, BODY.replace("1", "2")],
    ["a body that is not JSON", `Bearer ${token()}`, "{"],
    ["another secret", `Bearer ${token()}`, BODY, "another"],
    ["an empty secret", `Bearer ${token()}`, BODY, ""],
    ["no digest", `Bearer ${token({ payload_hash: undefined })}`],
    ["another account", `Bearer ${token({ api_key: "other" })}`],
    ["an old token", `Bearer ${token({ iat: NOW / 1000 - 301 })}`],
    ["a token of the future", `Bearer ${token({ iat: NOW / 1000 + 301 })}`],
    ["no time", `Bearer ${token({ iat: undefined })}`],
    ["another algorithm", `Bearer ${token({}, { alg: "none", typ: "JWT" })}`],
    ["no signature", `Bearer ${token().split(".").slice(0, 2).join(".")}.`],
    ["no token", ""],
    ["another scheme", `Basic ${token()}`],
  ])("is refused with %s", async (_, authorization, body, secret) => {
    expect(await check(authorization, body, secret)).toBe(false);
  });
});
