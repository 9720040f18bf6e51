// A fake Vonage: accepts messages and calls like its Messages and Voice APIs, and sends callbacks.
// Requests, responses and callbacks: developer.vonage.com/en/api/messages, /en/api/voice,
// /en/voice/voice-api/webhook-reference. Signatures: /en/messages/concepts/signed-webhooks and
// /en/getting-started/concepts/webhooks (HS256, `payload_hash` is the SHA-256 of the body in hex).
// Errors: /en/api-errors/messages.
import { createHash, createHmac, createVerify } from "node:crypto";
import { type Outgoing, serveAt } from "./outbound.ts";
import {
  configure,
  newUuid,
  type PhoneStandIn,
  post,
  type TakenByPhone,
} from "./phone-stand-in.ts";

const FROM = "14155550101";
const SECRET = "only the tests' Vonage knows this";
const KEY = "abcd1234";

const problem = (status: number, code: number) => () =>
  Response.json(
    {
      type: `https://developer.vonage.com/api-errors/messages#${code}`,
      title: "refused",
      detail: "refused +14155550123",
      instance: "bf0ca0bf927b3b52e3cb03217e1a1ddf",
    },
    { status },
  );

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The headers of a callback. */
function signed(body: string, secret = SECRET): Record<string, string> {
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    jti: newUuid(),
    iss: "Vonage",
    payload_hash: createHash("sha256").update(body).digest("hex"),
    api_key: KEY,
  };
  const content = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded(claims)}`;
  const signature = createHmac("sha256", secret).update(content).digest("base64url");
  return { "Content-Type": "application/json", Authorization: `Bearer ${content}.${signature}` };
}

/** Whether a call's token names the application and is signed with its key. */
function isAuthorized(headers: Headers, publicKey: string): boolean {
  const token = (headers.get("authorization") ?? "").replace("Bearer ", "").split(".");
  const [header = "", claims = "", signature = ""] = token;
  const verifier = createVerify("RSA-SHA256").update(`${header}.${claims}`);
  const { application_id, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const isValid = application_id === "app-1" && exp > Date.now() / 1000;
  return isValid && verifier.verify(publicKey, signature, "base64url");
}

const pem = (label: string, bytes: ArrayBuffer) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString("base64")}\n-----END ${label}-----`;

async function newKeys() {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const [secret, open] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("spki", pair.publicKey),
  ]);
  return {
    privateKey: pem("PRIVATE KEY", secret as ArrayBuffer),
    publicKey: pem("PUBLIC KEY", open as ArrayBuffer),
  };
}

type Json = Record<string, any>;

/** A message; the response that refuses it, if a field is missing or wrong. */
function readMessage(sent: Json): TakenByPhone | Response {
  const isWhole = sent.channel === "sms" && sent.message_type === "text" && sent.from === FROM;
  if (!isWhole || !sent.text) return problem(422, 1010)();
  if (!/^[1-9]\d{6,14}$/.test(sent.to)) return problem(422, 1170)();
  const text = String(sent.text);
  const statusUrl = String(sent.webhook_url ?? "");
  return { kind: "sms", to: `+${sent.to}`, text, id: newUuid(), statusUrl, answerUrl: "" };
}

function readCall(sent: Json): TakenByPhone | Response {
  const [to] = sent.to;
  if (to.type !== "phone" || !/^[1-9]\d{6,14}$/.test(to.number)) return problem(400, 1170)();
  const talk = sent.ncco.filter((it: Json) => it.action === "talk");
  const input = sent.ncco.find((it: Json) => it.action === "input");
  return {
    kind: "call",
    to: `+${to.number}`,
    text: talk.map((it: Json) => it.text).join(" "),
    id: newUuid(),
    statusUrl: String(sent.event_url?.[0] ?? ""),
    answerUrl: String(input?.eventUrl[0] ?? ""),
  };
}

/** Starts the fake and configures the deployment for it. */
export async function openVonage(): Promise<PhoneStandIn> {
  const { privateKey, publicKey } = await newKeys();
  configure({
    VONAGE_API: "https://vonage.test",
    VONAGE_API_KEY: KEY,
    VONAGE_API_SECRET: "secret",
    VONAGE_SIGNATURE_SECRET: SECRET,
    VONAGE_FROM: `+${FROM}`,
    VONAGE_APPLICATION_ID: "app-1",
    VONAGE_PRIVATE_KEY: privateKey,
  });
  const answer = async ({ method, url, headers, body }: Outgoing): Promise<Response> => {
    vonage.asked += 1;
    const isMessage = url.pathname === "/v1/messages";
    const [, ended] = /^\/v1\/calls\/(aaaaaaaa-[\w-]+)$/.exec(url.pathname) ?? [];
    const isNew = method === "POST" && (isMessage || url.pathname === "/v1/calls");
    if (!isNew && (method !== "PUT" || ended === undefined)) return problem(404, 1)();
    const isKnown = isMessage
      ? headers.get("authorization") === `Basic ${btoa(`${KEY}:secret`)}`
      : isAuthorized(headers, publicKey);
    if (!isKnown) return problem(401, 1)();
    if (vonage.refusal) return vonage.refusal();
    const sent = JSON.parse(new TextDecoder().decode(body));
    if (ended !== undefined) {
      if (sent.action !== "hangup") return problem(400, 1020)();
      vonage.ended.push(ended);
      return new Response(null, { status: 204 });
    }
    const read = isMessage ? readMessage(sent) : readCall(sent);
    if (read instanceof Response) return read;
    vonage.taken.push(read);
    const { id } = read;
    return isMessage
      ? Response.json({ message_uuid: id }, { status: 202 })
      : Response.json({ uuid: id, status: "started", direction: "outbound" }, { status: 201 });
  };
  serveAt("vonage.test", answer);
  const vonage: PhoneStandIn = {
    name: "vonage",
    title: "Vonage",
    taken: [],
    ended: [],
    asked: 0,
    refusal: null,
    refusals: { outage: problem(503, 1030), badNumber: problem(422, 1170) },
    words: { delivered: "delivered", undelivered: "undeliverable", unanswered: "unanswered" },
    report: ({ kind, id, statusUrl }, status) => {
      const body = JSON.stringify(
        kind === "sms" ? { message_uuid: id, channel: "sms", status } : { uuid: id, status },
      );
      return post(statusUrl, body, signed(body));
    },
    text: (from, text) => {
      const message = { channel: "sms", message_type: "text", message_uuid: newUuid() };
      const body = JSON.stringify({ ...message, to: FROM, from: from.slice(1), text });
      return post("/callbacks/vonage/messages", body, signed(body));
    },
    press: ({ id, answerUrl }, digits) => {
      const body = JSON.stringify({ uuid: id, dtmf: { digits, timed_out: digits === "" } });
      return post(answerUrl, body, signed(body));
    },
    forge: ({ id, statusUrl }) => {
      const body = JSON.stringify({ message_uuid: id, channel: "sms", status: "undeliverable" });
      return post(statusUrl, body, signed(body, "another secret"));
    },
  };
  return vonage;
}
