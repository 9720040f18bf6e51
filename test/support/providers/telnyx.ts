// A fake Telnyx: accepts messages and TeXML calls like its API v2, and sends signed callbacks.
// Messages: developers.telnyx.com/docs/messaging/messages/send-message, /receiving-webhooks (the
// payloads and the signature), /error-codes. Calls:
// developers.telnyx.com/api-reference/texml-rest-commands/create-a-connection-scoped-texml-call and
// /api-reference/callbacks/texml-call-completed (a form, signed in the same headers).

import { serveAt } from "./outbound.ts";
import {
  configure,
  newUuid,
  type PhoneStandIn,
  post,
  type TakenByPhone,
} from "./phone-stand-in.ts";

const FROM = "+14155550102";

const errors = (status: number, code: string) => () =>
  Response.json(
    { errors: [{ code, title: "refused", detail: "refused +14155550123" }] },
    { status },
  );

const ED25519 = { name: "Ed25519" };
const base64 = (bytes: unknown) => Buffer.from(bytes as ArrayBuffer).toString("base64");

type Json = Record<string, any>;

function read(sent: Json, isMessage: boolean): TakenByPhone | Response {
  const { to, text } = isMessage ? sent : { to: sent.To, text: sent.Texml };
  if ((isMessage ? sent.from : sent.From) !== FROM || !text) return errors(422, "10004")();
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return errors(400, "40310")();
  const statusUrl = String((isMessage ? sent.webhook_url : sent.StatusCallback) ?? "");
  const answerUrl = /action="([^"]+)"/.exec(String(text))?.[1] ?? "";
  const kind = isMessage ? "sms" : "call";
  return { kind, to, text: String(text), id: newUuid(), statusUrl, answerUrl };
}

/** Starts the fake and configures the deployment for it. */
export async function openTelnyx(): Promise<PhoneStandIn> {
  const [keys, others] = (await Promise.all([
    crypto.subtle.generateKey(ED25519, true, ["sign", "verify"]),
    crypto.subtle.generateKey(ED25519, true, ["sign", "verify"]),
  ])) as [CryptoKeyPair, CryptoKeyPair];
  configure({
    TELNYX_API: "https://telnyx.test",
    TELNYX_API_KEY: "KEY1",
    TELNYX_FROM: FROM,
    TELNYX_APPLICATION_ID: "texml-1",
    TELNYX_PUBLIC_KEY: base64(await crypto.subtle.exportKey("raw", keys.publicKey)),
  });
  serveAt("telnyx.test", async ({ method, url, headers, body }) => {
    telnyx.asked += 1;
    const isMessage = url.pathname === "/v2/messages";
    const isCall = url.pathname === "/v2/texml/calls/texml-1";
    const [, ended] = /^\/v2\/texml\/calls\/(aaaaaaaa-[\w-]+)\/update$/.exec(url.pathname) ?? [];
    if (method !== "POST" || !(isMessage || isCall || ended)) return errors(404, "10005")();
    if (headers.get("authorization") !== "Bearer KEY1") return errors(401, "10009")();
    if (telnyx.refusal) return telnyx.refusal();
    if (ended !== undefined) {
      telnyx.ended.push(ended);
      return Response.json({ data: { sid: ended, status: "accepted" } });
    }
    const taken = read(JSON.parse(new TextDecoder().decode(body)), isMessage);
    if (taken instanceof Response) return taken;
    telnyx.taken.push(taken);
    const { id, to } = taken;
    return isMessage
      ? Response.json({ data: { id, record_type: "message", direction: "outbound" } })
      : Response.json({ call_sid: id, from: FROM, to, status: "queued" });
  });
  async function send(url: string, body: string, key = keys.privateKey) {
    const time = String(Math.floor(Date.now() / 1000));
    const content = new TextEncoder().encode(`${time}|${body}`);
    const signature = base64(await crypto.subtle.sign(ED25519, key, content));
    const type = body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
    const signed = { "telnyx-timestamp": time, "telnyx-signature-ed25519": signature };
    return post(url, body, { "Content-Type": type, ...signed });
  }
  const finalized = (id: string, to: string, status: string) => {
    const payload = { id, direction: "outbound", to: [{ phone_number: to, status }], errors: [] };
    return JSON.stringify({ data: { event_type: "message.finalized", payload } });
  };
  const telnyx: PhoneStandIn = {
    name: "telnyx",
    title: "Telnyx",
    taken: [],
    ended: [],
    asked: 0,
    refusal: null,
    refusals: { outage: errors(503, "10007"), badNumber: errors(400, "40310") },
    words: { delivered: "delivered", undelivered: "delivery_failed", unanswered: "no-answer" },
    report: ({ kind, id, to, statusUrl }, word) =>
      send(
        statusUrl,
        kind === "sms"
          ? finalized(id, to, word)
          : new URLSearchParams({ CallSid: id, CallStatus: word, To: to }).toString(),
      ),
    text: (from, text) => {
      const parties = { from: { phone_number: from }, to: [{ phone_number: FROM }] };
      const payload = { id: newUuid(), direction: "inbound", ...parties, text };
      const body = JSON.stringify({ data: { event_type: "message.received", payload } });
      return send("/callbacks/telnyx/messages", body);
    },
    press: ({ id, answerUrl }, digit) =>
      send(answerUrl, new URLSearchParams({ CallSid: id, Digits: digit }).toString()),
    forge: ({ id, to, statusUrl }) =>
      send(statusUrl, finalized(id, to, "delivery_failed"), others.privateKey),
  };
  return telnyx;
}
