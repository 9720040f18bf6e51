// A fake Twilio: accepts messages and calls like its REST API, and sends signed callbacks.
import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { call, type Reply } from "../api/api.ts";
import { serveAt } from "./outbound.ts";

export type TwilioRequest = {
  readonly resource: "Messages" | "Calls";
  readonly form: Readonly<Record<string, string>>;
  readonly sid: string;
  readonly at: number;
};

export type Twilio = {
  /** Accepted requests. */
  readonly taken: TwilioRequest[];
  /** The calls that were hung up, by their SIDs. */
  readonly ended: string[];
  /** Number of requests. */
  asked: number;
  /** The response instead of accepting; null = accept. */
  refusal: (() => Response | Promise<Response>) | null;
  /** Accepts the request, then fails as if the response were lost. */
  loseAnswer: boolean;
};

const HOST = "twilio.test";

/** The account and its balance, whichever is asked for. */
export const TWILIO_ACCOUNT = { status: "active", balance: "12.34" };

/** SIDs are unique within a test run. */
let sids = 0;

/** An error response of Twilio's API. */
export const twilioError = (status: number, code: number) => () =>
  Response.json(
    { code, message: `refused +14155550123`, more_info: `https://twilio.test/${code}`, status },
    { status },
  );

const REQUIRED = { Messages: ["To", "Body"], Calls: ["To", "From", "Twiml"] } as const;

/** A message by a template: WhatsApp, which takes no other outside of a conversation. */
function templateFault({ From, To, ContentVariables = "{}" }: Record<string, string>) {
  const isNumber = [From, To].every((it) => /^whatsapp:\+[1-9]\d{6,14}$/.test(it ?? ""));
  if (!isNumber) return twilioError(400, 21211)();
  const values = Object.values(JSON.parse(ContentVariables) as Record<string, string>);
  const isValid = values.every((it) => it !== "" && !/[\n\t]| {5}/.test(it));
  const isShort = values.join("").length <= 1_024;
  return isValid && isShort ? null : twilioError(400, 21656)();
}

function faultOf(resource: "Messages" | "Calls", form: Record<string, string>): Response | null {
  if (resource === "Messages" && form.ContentSid) return templateFault(form);
  const missing = REQUIRED[resource].find((name) => !form[name]);
  if (missing) return twilioError(400, 21604)();
  const sender = form.From ?? (resource === "Messages" ? form.MessagingServiceSid : undefined);
  if (!sender) return twilioError(400, 21603)();
  if (!/^\+[1-9]\d{6,14}$/.test(form.To ?? "")) return twilioError(400, 21211)();
  if ((form.Body ?? "").length > 1600) return twilioError(400, 21617)();
  return (form.Twiml ?? "").length > 4000 ? twilioError(400, 21218)() : null;
}

/** Starts the fake at the tests' `TWILIO_API`. Calls that a former one took are over: an answer of the test before hangs up. */
export function openTwilio(): Twilio {
  const twilio: Twilio = { taken: [], ended: [], asked: 0, refusal: null, loseAnswer: false };
  const formerSids = sids;
  serveAt(HOST, async ({ method, url, headers, body }) => {
    const account = `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/`;
    if (method === "GET") return Response.json(TWILIO_ACCOUNT);
    const name = url.pathname.startsWith(account) ? url.pathname.slice(account.length) : "";
    const resource = /^(Messages|Calls)\.json$/.exec(name)?.[1] as "Messages" | "Calls";
    const called = /^Calls\/(CA\d{32})\.json$/.exec(name)?.[1];
    if (Number(called?.slice(2)) <= formerSids) return twilioError(404, 20404)();
    twilio.asked += 1;
    if (method !== "POST" || !(resource || called)) return twilioError(404, 20404)();
    const credentials = btoa(`${env.TWILIO_ACCOUNT_SID}:${env.TWILIO_AUTH_TOKEN}`);
    if (headers.get("authorization") !== `Basic ${credentials}`) return twilioError(401, 20003)();
    if (twilio.refusal) return twilio.refusal();
    const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
    if (called !== undefined) {
      if (form.Status !== "completed") return twilioError(400, 20001)();
      twilio.ended.push(called);
      return Response.json({ sid: called, status: "completed" });
    }
    const fault = faultOf(resource, form);
    if (fault) return fault;
    const prefix = resource === "Messages" ? "SM" : "CA";
    sids += 1;
    const sid = prefix + String(sids).padStart(32, "0");
    twilio.taken.push({ resource, form, sid, at: Date.now() });
    if (twilio.loseAnswer) throw new TypeError("network connection lost");
    return Response.json({ sid, status: "queued" }, { status: 201 });
  });
  return twilio;
}

/** Sends a callback as Twilio does; pass another `token` to forge the signature. */
export function callBack(
  path: string,
  form: Readonly<Record<string, string>>,
  token = env.TWILIO_AUTH_TOKEN as string,
): Promise<Reply> {
  const url = path.startsWith("https:") ? path : `https://tocsin.test/callbacks/twilio/${path}`;
  const fields = Object.keys(form).sort();
  const payload = url + fields.map((name) => name + form[name]).join("");
  return call("POST", url.replace("https://tocsin.test", ""), {
    body: new URLSearchParams(form).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Twilio-Signature": createHmac("sha1", token).update(payload).digest("base64"),
    },
  });
}

/** Sends an SMS to the deployment; returns the reply, or null without one. */
export async function text(
  from: string,
  body: string,
  to = env.TWILIO_FROM,
): Promise<string | null> {
  const sid = `SM${crypto.randomUUID().replaceAll("-", "")}`;
  const reply = await callBack("messages", { MessageSid: sid, From: from, To: to, Body: body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const message = /<Message>([\s\S]*?)<\/Message>/.exec(reply.text)?.[1];
  return message === undefined ? null : unescaped(message);
}

export const unescaped = (xml: string) =>
  xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
