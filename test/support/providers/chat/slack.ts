// A fake Slack. It checks calls of the Web API against its documentation, keeps the messages of its
// channels, and can fail in every documented way:
// - https://docs.slack.dev/apis/web-api: JSON with `charset`, `Authorization: Bearer xoxb-…`; the answer
//   is 200 with `{ok, error}`; https://docs.slack.dev/apis/web-api/rate-limits: 429 with `Retry-After`
// - …/reference/methods/chat.postMessage (channel, or a member's id for a direct message, text or blocks,
//   thread_ts; `{ok, channel, ts}`), chat.update (channel, ts; `message_not_found`), chat.postEphemeral (channel, user; `{ok, message_ts}`); text ≤ 40,000
// - …/authentication/verifying-requests-from-slack (`v0:<timestamp>:<body>`)
// - …/reference/interaction-payloads/block_actions-payload and …/block_suggestion-payload
// - …/interactivity/handling-user-interaction: answers to `response_url`, five within half an hour
// - …/interactivity/implementing-slash-commands (form with command, text, team_id, user_id, user_name)
// - …/apis/events-api (`event_callback` with event_id; `X-Slack-Retry-Num`; `url_verification`)
import { createHmac } from "node:crypto";
import { type Account, call, type Reply } from "../../api/api.ts";
import { serveAt } from "../outbound.ts";
import { areBlocks, isOption } from "./slack-blocks.ts";

export const CHANNEL = "C0123456789";
export const TOKEN = "xoxb-1-very-secret-token";
export const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
/** A person, and their direct messages with the app. */
export const MEMBER = "U0123ABCDEF";
export const DIRECT = "D0123456789";
const WORKSPACE = "T0123456789";
const HOOK = "https://hooks.slack.com/actions/T0123456789/1/x";

type Json = Record<string, any>;

export type SlackMessage = { readonly ts: string; body: Json; readonly thread: string | null };

export type Slack = {
  /** By the order in which they were posted. */
  readonly messages: SlackMessage[];
  /** Every call that reached Slack, accepted or not. */
  readonly calls: { readonly method: string; readonly body: Json }[];
  /** What was sent to `response_url`s and as ephemeral messages. */
  readonly told: string[];
  /** Answers instead of accepting, first one first. */
  readonly failures: (() => Response)[];
  /** Messages of their own, not in a thread. Earlier tests' alerts may still get one. */
  readonly roots: () => SlackMessage[];
  /** The latest message of an alert. */
  readonly rootOf: (alertId: string) => SlackMessage | undefined;
  readonly threadOf: (ts: string) => string[];
};

let sequence = 0;
const newTs = () => {
  sequence += 1;
  return `${Math.floor(Date.now() / 1000)}.${String(sequence).padStart(6, "0")}`;
};

const failed = (error: string) => Response.json({ ok: false, error });

/** Fails by the name of an error. */
export const failing = (error: string) => () => failed(error);

/** Fails by a rate limit. */
export const rateLimited = (seconds: number) => () =>
  Response.json(
    { ok: false, error: "ratelimited" },
    { status: 429, headers: { "Retry-After": String(seconds) } },
  );

/** Starts Slack. */
export function openSlack(): Slack {
  const slack: Slack = {
    ...{ messages: [], calls: [], told: [], failures: [] },
    roots: () => slack.messages.filter(({ thread }) => thread === null),
    rootOf: (alertId) =>
      slack.roots().findLast(({ body }) => JSON.stringify(body).includes(`"alert:${alertId}"`)),
    threadOf: (ts) =>
      slack.messages.filter(({ thread }) => thread === ts).map(({ body }) => body.text),
  };
  serveAt("slack.com", ({ method, url, headers, body }) => {
    const sent = JSON.parse(new TextDecoder().decode(body)) as Json;
    const name = url.pathname.replace("/api/", "");
    slack.calls.push({ method: name, body: sent });
    const failure = slack.failures.shift();
    if (failure) return failure();
    if (method !== "POST") return failed("method_not_supported");
    if (!/^application\/json; ?charset=utf-8$/i.test(headers.get("content-type") ?? "")) {
      return failed("missing_charset");
    }
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) return failed("invalid_auth");
    return answer(slack, name, sent);
  });
  serveAt("hooks.slack.com", ({ body }) => {
    const {
      response_type: type,
      replace_original: replaces,
      text,
    } = JSON.parse(new TextDecoder().decode(body));
    if (type !== "ephemeral" || replaces !== false) return new Response("bad", { status: 400 });
    slack.told.push(text);
    return new Response("ok");
  });
  return slack;
}

function answer(slack: Slack, method: string, sent: Json): Response {
  const { channel, ts, thread_ts: thread = null } = sent;
  const isMember = channel === MEMBER && method === "chat.postMessage";
  const isDirect = channel === DIRECT && method === "chat.update";
  if (channel !== CHANNEL && !isMember && !isDirect) return failed("channel_not_found");
  if (!sent.text && !sent.blocks) return failed("no_text");
  if (String(sent.text ?? "").length > 40_000) return failed("msg_too_long");
  if (!areBlocks(sent.blocks)) return failed("invalid_blocks");
  switch (method) {
    case "chat.postMessage": {
      if (thread !== null && !slack.messages.some((it) => it.ts === thread)) {
        return failed("thread_not_found");
      }
      const message = { ts: newTs(), body: sent, thread };
      slack.messages.push(message);
      const opened = isMember ? DIRECT : channel;
      return Response.json({ ok: true, channel: opened, ts: message.ts, message: sent });
    }
    case "chat.update": {
      const message = slack.messages.find((it) => it.ts === ts);
      if (message === undefined) return failed("message_not_found");
      message.body = sent;
      return Response.json({ ok: true, channel, ts, text: sent.text });
    }
    case "chat.postEphemeral":
      slack.told.push(sent.text);
      return Response.json({ ok: true, message_ts: newTs() });
    default:
      return failed("unknown_method");
  }
}

export type SlackIntegration = { readonly id: string; readonly prefixId: string };

/** Creates a `slack_app` for an account; `more` overrides its parameters. */
export async function makeSlackApp(
  account: Account,
  more: Record<string, unknown> = {},
): Promise<SlackIntegration> {
  const made = await account.api("POST", "/integrations", {
    ...{ name: "Slack", urgency: "low", integration_type_id: "slack_app" },
    ...{
      option_channel: CHANNEL,
      option_bot_token: TOKEN,
      account_user_ids: [account.accountUserId],
    },
    option_signing_secret: SIGNING_SECRET,
    ...more,
  });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.body.id, prefixId: made.body.prefix_id };
}

type Signing = { readonly at?: number; readonly secret?: string };

/** The headers of a request as Slack signs it. */
export function signedHeaders(
  body: string,
  { at = Date.now(), secret = SIGNING_SECRET }: Signing = {},
) {
  const timestamp = String(Math.floor(at / 1000));
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": `v0=${digest}` };
}

type Path = "interactions" | "choices" | "commands" | "events";

/** Sends a request as Slack does, which shows no menu with choices that break its limits. */
export async function fromSlack(
  { prefixId }: SlackIntegration,
  path: Path,
  body: string,
  headers: Record<string, string> = signedHeaders(body),
): Promise<Reply> {
  const type = path === "events" ? "application/json" : "application/x-www-form-urlencoded";
  const reply = await call("POST", `/callbacks/slack/${prefixId}/${path}`, {
    body,
    headers: { "Content-Type": type, ...headers },
  });
  const { options = [] } = path === "choices" && reply.status === 200 ? reply.body : {};
  if (options.length > 100 || !options.every(isOption)) throw new Error(reply.text);
  return reply;
}

let triggers = 0;

/** The form of an interaction; no two are alike. */
export function interactionOf(payload: Json): string {
  triggers += 1;
  const whole = { trigger_id: `1.${triggers}`, team: { id: WORKSPACE }, ...payload };
  return new URLSearchParams({ payload: JSON.stringify(whole) }).toString();
}

/** The body of a button or menu of an alert's message. */
export function pressed(message: SlackMessage, actionId: string, user: string, value?: string) {
  const block = message.body.blocks.find((it: Json) => it.type === "actions");
  const element = block?.elements.find((it: Json) => it.action_id === actionId);
  if (!element) throw new Error(`the message has no ${actionId}`);
  const selected = value !== undefined && { selected_option: { value } };
  return interactionOf({
    ...{ type: "block_actions", response_url: HOOK },
    user: { id: user, username: user.toLowerCase(), team_id: WORKSPACE },
    actions: [{ type: element.type, action_id: actionId, block_id: block.block_id, ...selected }],
  });
}

/** The body of a command; no two are alike. */
export function commanded(command: string, text: string, user: string): string {
  triggers += 1;
  return new URLSearchParams({
    ...{ command, text, team_id: WORKSPACE, user_id: user, user_name: user.toLowerCase() },
    ...{ response_url: HOOK, trigger_id: `1.${triggers}`, channel_id: CHANNEL },
  }).toString();
}

let replies = 0;

/** The body of a message in a thread. */
export function replied(thread: string, text: string, user: string, more: Json = {}): string {
  replies += 1;
  const ts = newTs();
  const event = { type: "message", channel: CHANNEL, user, text, ts, thread_ts: thread, ...more };
  return JSON.stringify({
    ...{ type: "event_callback", team_id: WORKSPACE, event_id: `Ev${replies}`, event },
    event_time: Math.floor(Date.now() / 1000),
  });
}
