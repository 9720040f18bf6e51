// Stands in for Twilio: takes messages and calls as its REST API does, and calls back as Twilio does, signed.
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
  /** What was taken. */
  readonly taken: TwilioRequest[];
  /** How often it was asked. */
  asked: number;
  /** What it answers instead of taking; null = it takes. */
  refusal: (() => Response | Promise<Response>) | null;
  /** It takes, but the answer is lost. */
  loseAnswer: boolean;
};

const HOST = "twilio.test";

/** No two messages of a test run have the same. */
let sids = 0;

/** An error as Twilio's API writes it. */
export const twilioError = (status: number, code: number) => () =>
  Response.json(
    { code, message: `refused +14155550123`, more_info: `https://twilio.test/${code}`, status },
    { status },
  );

const REQUIRED = { Messages: ["To", "Body"], Calls: ["To", "From", "Twiml"] } as const;

function faultOf(resource: "Messages" | "Calls", form: Record<string, string>): Response | null {
  const missing = REQUIRED[resource].find((name) => !form[name]);
  if (missing) return twilioError(400, 21604)();
  const sender = form.From ?? (resource === "Messages" ? form.MessagingServiceSid : undefined);
  if (!sender) return twilioError(400, 21603)();
  if (!/^\+[1-9]\d{6,14}$/.test(form.To ?? "")) return twilioError(400, 21211)();
  if ((form.Body ?? "").length > 1600) return twilioError(400, 21617)();
  return (form.Twiml ?? "").length > 4000 ? twilioError(400, 21218)() : null;
}

/** Answers at the address that the tests' `TWILIO_API` names. */
export function openTwilio(): Twilio {
  const twilio: Twilio = { taken: [], asked: 0, refusal: null, loseAnswer: false };
  serveAt(HOST, async ({ method, url, headers, body }) => {
    twilio.asked += 1;
    const account = `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/`;
    const named = url.pathname.startsWith(account) ? url.pathname.slice(account.length) : "";
    const resource = /^(Messages|Calls)\.json$/.exec(named)?.[1] as "Messages" | "Calls";
    if (method !== "POST" || !resource) return twilioError(404, 20404)();
    const credentials = btoa(`${env.TWILIO_ACCOUNT_SID}:${env.TWILIO_AUTH_TOKEN}`);
    if (headers.get("authorization") !== `Basic ${credentials}`) return twilioError(401, 20003)();
    if (twilio.refusal) return twilio.refusal();
    const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
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

/** Calls back as Twilio does; `token` is another one for somebody who only says so. */
export function callBack(
  path: string,
  form: Readonly<Record<string, string>>,
  token = env.TWILIO_AUTH_TOKEN as string,
): Promise<Reply> {
  const url = path.startsWith("https:") ? path : `https://tocsin.test/callbacks/twilio/${path}`;
  const fields = Object.keys(form).sort();
  const signed = url + fields.map((name) => name + form[name]).join("");
  return call("POST", url.replace("https://tocsin.test", ""), {
    body: new URLSearchParams(form).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Twilio-Signature": createHmac("sha1", token).update(signed).digest("base64"),
    },
  });
}

/** Sends us an SMS; what we answer, null for nothing. */
export async function text(
  from: string,
  body: string,
  to = env.TWILIO_FROM,
): Promise<string | null> {
  const sid = `SM${crypto.randomUUID().replaceAll("-", "")}`;
  const reply = await callBack("messages", { MessageSid: sid, From: from, To: to, Body: body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const said = /<Message>([\s\S]*?)<\/Message>/.exec(reply.text)?.[1];
  return said === undefined ? null : unescaped(said);
}

export const unescaped = (xml: string) =>
  xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
