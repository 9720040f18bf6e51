// Fake providers of messengers. Each checks a request against the provider's documentation, answers
// in its format, records what it accepts, and can be made to refuse.
//
// - ntfy: https://docs.ntfy.sh/publish/ ("Publish as JSON": topic, title, message, priority 1–5,
//   click, at most three actions of type view, http or broadcast; "Access tokens": `Bearer tk_…`;
//   errors are `{code, http, error}`, a rate limit is 429 with code 42901)
// - Pushover: https://pushover.net/api (form; token, user and message are needed; 250, 1,024 and 512
//   characters; emergency priority needs retry ≥ 30 and expire ≤ 10,800; errors are
//   `{status: 0, errors, request}`), https://pushover.net/api/receipts (receipt, callback,
//   `/receipts/<receipt>/cancel.json`)
// - Telegram: https://core.telegram.org/bots/api ("Making requests": `{ok, result}` or `{ok, error_code,
//   description, parameters: {retry_after}}`; sendMessage ≤ 4,096 characters; callback_data ≤ 64
//   bytes; setWebhook's secret_token and allowed_updates)
// - Gotify: https://gotify.net/api-docs#/message/createMessage (`X-Gotify-Key`; message is needed;
//   errors are `{error, errorCode, errorDescription}`)
// - Matrix: client-server API, `PUT /rooms/{roomId}/send/{eventType}/{txnId}` (`{event_id}`; the same
//   transaction id answers the same event; errors are `{errcode, error}`; M_LIMIT_EXCEEDED is 429
//   with `Retry-After`)
import { env } from "cloudflare:workers";
import { call } from "../api/api.ts";
import { type Outgoing, serveAt } from "./outbound.ts";

export type MessengerRequest = {
  readonly provider: Provider;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  /** The text that was sent, as it is signed. */
  readonly text: string;
};

export const MESSENGER_HOSTS = {
  ntfy: "ntfy.tocsin-tests.example.com",
  pushover: "pushover.test",
  telegram: "telegram.test",
  gotify: "gotify.tocsin-tests.example.com",
  matrix: "matrix.tocsin-tests.example.com",
  webhook: "hook.tocsin-tests.example.com",
} as const;
type Provider = keyof typeof MESSENGER_HOSTS;

export type Messengers = {
  /** Accepted requests, without Telegram's own of a link. */
  readonly taken: MessengerRequest[];
  /** The responses instead of accepting, by provider. */
  readonly refusals: Map<Provider, () => Response>;
};

export const SECRET = `whsec_${btoa("0123456789abcdef01234567")}`;

/** Valid settings of each messenger whose address has fields. */
export const SETTINGS = {
  ntfy: { server: `https://${MESSENGER_HOSTS.ntfy}`, topic: "pages-7f3k", token: "tk_secret" },
  pushover: { user_key: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG" },
  gotify: { server: `https://${MESSENGER_HOSTS.gotify}`, token: "A_secret" },
  matrix: {
    server: `https://${MESSENGER_HOSTS.matrix}`,
    room_id: "!room:example.com",
    token: "syt_secret",
  },
  webhook: { url: `https://${MESSENGER_HOSTS.webhook}/pages`, secret: SECRET },
} as const;

let ids = 0;
const nextId = () => {
  ids += 1;
  return ids;
};

type Handler = (request: Outgoing, body: MessengerRequest["body"]) => Response;

const longerThan = (value: unknown, most: number) => String(value ?? "").length > most;

const onNtfy: Handler = ({ url, headers }, body) => {
  const refuse = (status: number, code: number) =>
    Response.json({ code, http: status, error: "refused" }, { status });
  if (headers.get("authorization") !== "Bearer tk_secret") return refuse(401, 40101);
  const { topic, priority, actions } = body;
  const isTopic = /^[-_A-Za-z0-9]{1,64}$/.test(String(topic));
  const isPriority = [1, 2, 3, 4, 5].includes(Number(priority));
  const buttons = (actions ?? []) as readonly { action: string; label: string; url: string }[];
  const areButtons = buttons.every((it) => /^(view|http)$/.test(it.action) && it.label && it.url);
  if (url.pathname !== "/" || !isTopic || !isPriority || !areButtons || buttons.length > 3) {
    return refuse(400, 40024);
  }
  return Response.json({ id: `ntfy${nextId()}`, event: "message", topic });
};

const onPushover: Handler = ({ url }, body) => {
  const refuse = (...errors: string[]) =>
    Response.json({ status: 0, request: "r", errors }, { status: 400 });
  if (body.token !== env.PUSHOVER_TOKEN) return refuse("application token is invalid");
  if (/^\/1\/receipts\/[A-Za-z0-9]{30}\/cancel\.json$/.test(url.pathname)) {
    return Response.json({ status: 1, request: "r" });
  }
  if (url.pathname !== "/1/messages.json") return new Response(null, { status: 404 });
  if (!/^[A-Za-z0-9]{30}$/.test(String(body.user))) return refuse("user identifier is invalid");
  if (!body.message) return refuse("message cannot be blank");
  const isLong = longerThan(body.title, 250) || longerThan(body.message, 1_024);
  if (isLong || longerThan(body.url, 512)) return refuse("message is too long");
  if (body.priority !== "2") return Response.json({ status: 1, request: "r" });
  const [retry, expire] = [Number(body.retry), Number(body.expire)];
  if (!(retry >= 30)) return refuse("retry parameter must be at least 30 seconds");
  if (!(expire > 0 && expire <= 10_800)) return refuse("expire parameter is invalid");
  return Response.json({ status: 1, request: "r", receipt: `r${nextId()}`.padEnd(30, "0") });
};

const onTelegram: Handler = ({ url }, body) => {
  const refuse = (error_code: number, description: string) =>
    Response.json({ ok: false, error_code, description }, { status: error_code });
  const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
  if (token !== env.TELEGRAM_BOT_TOKEN) return refuse(401, "Unauthorized");
  if (method === "getMe") {
    return Response.json({ ok: true, result: { id: 1, is_bot: true, username: "tocsin_bot" } });
  }
  if (method === "setWebhook") {
    const isSecret = /^[\w-]{1,256}$/.test(String(body.secret_token));
    return isSecret ? Response.json({ ok: true, result: true }) : refuse(400, "Bad Request");
  }
  const keyboard = (body.reply_markup ?? {}) as {
    inline_keyboard?: { callback_data?: string }[][];
  };
  const data = (keyboard.inline_keyboard ?? []).flat().map((it) => it.callback_data ?? "");
  if (data.some((it) => it.length > 64)) return refuse(400, "Bad Request: BUTTON_DATA_INVALID");
  if (!body.chat_id || !body.text || longerThan(body.text, 4_096))
    return refuse(400, "Bad Request");
  if (body.parse_mode !== undefined) return refuse(400, "Bad Request: can't parse entities");
  const message_id = method === "sendMessage" ? nextId() : body.message_id;
  return Response.json({ ok: true, result: { message_id } });
};

const onGotify: Handler = ({ url, headers }, body) => {
  const refuse = (errorCode: number) =>
    Response.json({ error: "refused", errorCode, errorDescription: "" }, { status: errorCode });
  if (headers.get("x-gotify-key") !== "A_secret") return refuse(401);
  if (url.pathname !== "/message" || !body.message) return refuse(400);
  return Response.json({ id: nextId(), ...body });
};

const onMatrix: Handler = ({ method, url, headers }, body) => {
  const refuse = (status: number, errcode: string) =>
    Response.json({ errcode, error: "refused" }, { status });
  if (headers.get("authorization") !== "Bearer syt_secret") return refuse(401, "M_UNKNOWN_TOKEN");
  const path = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/;
  const [, room] = path.exec(url.pathname) ?? [];
  if (method !== "PUT" || room === undefined) return refuse(404, "M_UNRECOGNIZED");
  if (decodeURIComponent(room) !== "!room:example.com") return refuse(403, "M_FORBIDDEN");
  if (body.msgtype !== "m.text" || typeof body.body !== "string") return refuse(400, "M_BAD_JSON");
  return Response.json({ event_id: `$event${nextId()}` });
};

const HANDLERS: Readonly<Record<Provider, Handler>> = {
  ntfy: onNtfy,
  pushover: onPushover,
  telegram: onTelegram,
  gotify: onGotify,
  matrix: onMatrix,
  webhook: () => new Response(null, { status: 204 }),
};

function parse(headers: Headers, text: string): MessengerRequest["body"] {
  return headers.get("content-type")?.startsWith("application/json")
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text));
}

/** Starts all providers. */
export function openMessengers(): Messengers {
  const messengers: Messengers = { taken: [], refusals: new Map() };
  for (const provider of Object.keys(MESSENGER_HOSTS) as Provider[]) {
    serveAt(MESSENGER_HOSTS[provider], (request) => {
      const { url, headers } = request;
      const refusal = messengers.refusals.get(provider);
      if (refusal) return refusal();
      const text = new TextDecoder().decode(request.body);
      const body = parse(headers, text);
      const response = HANDLERS[provider](request, body);
      if (response.ok && !/\/(getMe|setWebhook)$/.test(url.pathname)) {
        messengers.taken.push({ provider, path: url.pathname, headers, body, text });
      }
      return response;
    });
  }
  return messengers;
}

/** Sends an update as Telegram does; pass another `secret` to forge it. */
export const updateBot = (secret: string, update: object) =>
  call("POST", "/callbacks/telegram", {
    body: JSON.stringify(update),
    headers: {
      "Content-Type": "application/json",
      "X-Telegram-Bot-Api-Secret-Token": secret,
    },
  });
