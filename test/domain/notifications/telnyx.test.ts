// Telnyx: its callbacks, and the verification of their signature. Payloads:
// developers.telnyx.com/docs/messaging/messages/receiving-webhooks and
// /api-reference/callbacks/texml-call-completed.
import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { telnyx } from "../../../src/products/phone/telnyx.ts";
import { isSignedByTelnyx } from "../../../src/products/phone/telnyx-signature.ts";

const ID = "4ee8c3a6-4995-4309-a3c6-38e3db9ea4be";

describe("a delivery report", () => {
  const message = (event: string, status: string, errors: readonly object[] = []) => {
    const to = [{ phone_number: "+14155550123", status }];
    const payload = { id: ID, direction: "outbound", to, errors };
    return JSON.stringify({ data: { event_type: event, payload } });
  };
  const call = (status: string) =>
    new URLSearchParams({ CallSid: "v3:9X2v", CallStatus: status, To: "+14155550123" }).toString();
  const going = { id: ID, reason: null, isRecipientAtFault: false, isUnsubscribed: false };
  const failed = { ...going, status: "failed" };

  test.each([
    ["on its way", message("message.sent", "sent"), { ...going, status: "sent" }],
    ["delivered", message("message.finalized", "delivered"), { ...going, status: "delivered" }],
    [
      "blocked by the carrier",
      message("message.finalized", "delivery_failed", [{ code: "40002", title: "+14155550123" }]),
      { ...failed, reason: "Telnyx: 40002, the carrier filtered the message as spam" },
    ],
    [
      "to a landline",
      message("message.finalized", "sending_failed", [{ code: "40001" }]),
      {
        ...failed,
        reason: "Telnyx: 40001, the number cannot receive messages",
        isRecipientAtFault: true,
      },
    ],
    [
      "after STOP",
      message("message.finalized", "sending_failed", [{ code: "40300" }]),
      {
        ...failed,
        reason: "Telnyx: 40300, the recipient has sent STOP",
        isRecipientAtFault: true,
        isUnsubscribed: true,
      },
    ],
    [
      "with a code that is none",
      message("message.finalized", "delivery_failed", [{ code: "+14155550123" }]),
      { ...failed, reason: "the message was not delivered" },
    ],
    ["that the carrier never sent", message("message.finalized", "delivery_unconfirmed"), null],
    ["of a call", call("completed"), { ...going, status: "delivered", id: "v3:9X2v" }],
    [
      "of a call that nobody answered",
      call("no-answer"),
      { ...failed, reason: "the call was not answered", isRecipientAtFault: true, id: "v3:9X2v" },
    ],
    [
      "of a call that failed",
      call("failed"),
      { ...failed, reason: "Telnyx could not make the call", id: "v3:9X2v" },
    ],
    ["of nothing", call("constructor"), null],
    ["without content", "", null],
    ["without an object", "[1]", null],
  ])("%s", (_, body, expected) => {
    expect(telnyx.readReport(body)).toEqual(expected);
  });
});

test("an inbound SMS and a digit are read", () => {
  const payload = {
    ...{ id: "40385f64-5717-4562-b3fc-2c963f66afa6", direction: "inbound" },
    from: { phone_number: "+13125550001", carrier: "T-MOBILE USA, INC." },
    to: [{ phone_number: "+14155550102", status: "webhook_delivered" }],
    text: "A 4821",
  };
  const event = { data: { event_type: "message.received", payload } };
  expect(telnyx.readSms(JSON.stringify(event))).toEqual({
    id: payload.id,
    from: "+13125550001",
    to: "+14155550102",
    text: "A 4821",
  });
  const sent = { data: { event_type: "message.sent", payload } };
  const nameless = { data: { ...event.data, payload: { ...payload, id: "" } } };
  for (const body of [JSON.stringify(sent), JSON.stringify(nameless), "", "null", "{"]) {
    expect(telnyx.readSms(body)).toBeNull();
  }
  expect(telnyx.readKeyPress("CallSid=v3&Digits=1")).toEqual({ id: "v3", digit: "1" });
  expect(telnyx.readKeyPress("CallSid=v3")).toEqual({ id: "v3", digit: "" });
});

describe("the signature of a callback", () => {
  const NOW = Date.UTC(2026, 0, 31, 9);
  const BODY = '{"data":{"event_type":"message.received"}}';
  const keys = generateKeyPairSync("ed25519");
  // The last 32 bytes of the encoded key are the key itself, which Telnyx shows.
  const publicKey: Buffer = keys.publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const time = String(NOW / 1000);
  const signatureOf = (text: string, key = keys.privateKey) =>
    sign(null, Buffer.from(text), key).toString("base64");
  const check = (timestamp: string, signature: string, body = BODY, key = publicKey) => {
    const headers = new Headers({
      "telnyx-timestamp": timestamp,
      "telnyx-signature-ed25519": signature,
    });
    const base64 = key.toString("base64");
    return isSignedByTelnyx(base64, { url: "", headers, body, now: NOW });
  };

  test("is verified", async () => {
    expect(await check(time, signatureOf(`${time}|${BODY}`))).toBe(true);
  });

  const old = String(NOW / 1000 - 301);
  const others = generateKeyPairSync("ed25519");
  test.each<[string, string, string, string?, Buffer?]>([
    ["another body", time, signatureOf(`${time}|${BODY}`), `${BODY} `],
    ["another time", String(NOW / 1000 - 1), signatureOf(`${time}|${BODY}`)],
    ["an old time", old, signatureOf(`${old}|${BODY}`)],
    ["no time", "", signatureOf(`|${BODY}`)],
    ["another key", time, signatureOf(`${time}|${BODY}`, others.privateKey)],
    ["a key that is none", time, signatureOf(`${time}|${BODY}`), BODY, Buffer.from("key")],
    ["no key", time, signatureOf(`${time}|${BODY}`), BODY, Buffer.alloc(0)],
    ["no signature", time, ""],
    ["a signature that is not base64", time, "%%%"],
  ])("is refused with %s", async (_, timestamp, signature, body, key) => {
    expect(await check(timestamp, signature, body, key)).toBe(false);
  });
});
