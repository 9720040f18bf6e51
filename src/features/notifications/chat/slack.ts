// The callbacks of the Slack apps: buttons and menus of alerts, commands, and replies in threads.
// Each is answered as Slack expects; what a person should know is shown to them alone.

import type { Hono } from "hono";
import { CHAT_TITLES } from "../../../domain/people/chat.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import { findByName } from "../../../domain/shared/name-search.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { all } from "../../../kernel/db/select.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { callProvider } from "../../../products/call-provider.ts";
import { jsonRequest } from "../../../products/messenger.ts";
import type { ChatCommand, ChatInteraction } from "../../../products/outgoing/chat-request.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import { readSlackCommand, readSlackInteraction } from "../../../products/slack/read-requests.ts";
import { escapeText, timeText } from "../../../products/slack/text.ts";
import { selectReceivers } from "../../people/account-users/receiver-names.ts";
import { findMember, linkText, memberContext } from "./chat-person.ts";
import { type ChatRequest, type ChatSigning, fromChat } from "./chat-request.ts";
import type { RefusalWords } from "./chat-words.ts";
import { respondInTime } from "./in-time.ts";
import { performAction, performCommand } from "./perform.ts";
import { serveSlackEvent } from "./slack-events.ts";
import { isSignedBySlack, SLACK_TOLERANCE_MS } from "./slack-signature.ts";

const SIGNING: ChatSigning = {
  product: "slack",
  title: CHAT_TITLES.slack,
  type: "slack_app",
  canVerify: ({ secrets }) => Boolean(secrets.signing_secret),
  notSigned: "forbidden",
  isSigned: ({ secrets }, headers, body, now) =>
    isSignedBySlack(secrets.signing_secret ?? "", headers, body, now),
  claimOf: ({ context, body }) => [context.req.header("x-slack-request-timestamp") ?? "", body],
  validMs: SLACK_TOLERANCE_MS,
};

/** Of what changes nothing, or is stored once however often it comes: it may come again after a failure. */
const REPEATABLE: ChatSigning = { ...SIGNING, claimOf: () => null };

const MALFORMED = refuse("malformed", "this is not a request of Slack's");

/** The longest text of an answer, and the limits of a menu. */
const MAX_TEXT = 3_500;
const MAX_CHOICES = 100;
const MAX_CHOICE = 75;
/** The most teams and people that a search looks at. */
const MAX_RECEIVERS = 5_000;

const acknowledged = () => new Response(null, { status: 200 });

/** Shown to the person alone. `text` is Slack's markup: text from others in it is escaped. */
const ephemeral = (text: string) => ({
  response_type: "ephemeral",
  text,
  unfurl_links: false,
});

const inTime = ({ context }: ChatRequest, work: Promise<Response>, late: () => Response) =>
  respondInTime((it) => context.executionCtx.waitUntil(it), work, late);

/** `POST /callbacks/slack/:integration/interactions`. */
async function serveInteraction(request: ChatRequest): Promise<Response> {
  const interaction = readInteraction(request);
  if (interaction === null) return respond(MALFORMED, request.context.get("requestId"));
  if (interaction.kind !== "action") return acknowledged();
  return inTime(request, act(request, interaction), acknowledged);
}

function readInteraction({ body }: ChatRequest): ChatInteraction | null {
  const payload = new URLSearchParams(body).get("payload");
  return payload === null ? null : readSlackInteraction(parseJson(payload));
}

const NO_CHOICES = { options: [] };

/** `POST /callbacks/slack/:integration/choices`: what the menu to hand off an alert shows. */
async function serveChoices(request: ChatRequest): Promise<Response> {
  const interaction = readInteraction(request);
  if (interaction?.kind !== "choices") return Response.json(NO_CHOICES);
  return inTime(request, choose(request, interaction), () => Response.json(NO_CHOICES));
}

/** Somebody who is no member sees no names. */
async function choose(
  request: ChatRequest,
  { person, search }: Extract<ChatInteraction, { kind: "choices" }>,
): Promise<Response> {
  if ((await findMember(request, person)) === null) return Response.json(NO_CHOICES);
  const { db, integration } = request;
  const receivers = await all(db, selectReceivers(integration.accountId, "", MAX_RECEIVERS));
  const text = search.trim();
  // Enter in Slack's menu takes the first.
  const found = text === "" ? receivers : findByName(receivers, text, (receiver) => receiver);
  const options = found.slice(0, MAX_CHOICES).map(({ prefixId, name }) => ({
    text: { type: "plain_text", text: truncateText(name || prefixId, MAX_CHOICE), emoji: false },
    value: prefixId,
  }));
  return Response.json({ options });
}

/** A refusal in Slack's markup. */
const slackWords = (words: RefusalWords | null): string | null => {
  if (words === null) return null;
  const { text, at } = words;
  return at === null ? escapeText(text) : `${escapeText(text, MAX_TEXT)}${timeText(at)}.`;
};

async function act(
  request: ChatRequest,
  { person, alertId, action, replyUrl }: Extract<ChatInteraction, { kind: "action" }>,
): Promise<Response> {
  const member = await findMember(request, person);
  const text =
    member === null
      ? escapeText(await linkText(request, person))
      : slackWords(await performAction(memberContext(request, member), alertId, action));
  if (text !== null && replyUrl !== null) {
    const reply = { ...ephemeral(text), replace_original: false };
    await callProvider(request.env, jsonRequest("POST", replyUrl, reply));
  }
  return acknowledged();
}

/** `POST /callbacks/slack/:integration/commands`. */
async function serveCommand(request: ChatRequest): Promise<Response> {
  const command = readSlackCommand(new URLSearchParams(request.body));
  if (command === null) return respond(MALFORMED, request.context.get("requestId"));
  const late = () => Response.json(ephemeral("This takes longer than usual."));
  return inTime(request, obey(request, command), late);
}

async function obey(request: ChatRequest, command: ChatCommand): Promise<Response> {
  const member = await findMember(request, command.person);
  const text =
    member === null
      ? await linkText(request, command.person)
      : await performCommand(request, memberContext(request, member), command);
  return Response.json(ephemeral(escapeText(text, MAX_TEXT)));
}

export function mountSlack(app: Hono<Environment>): void {
  const base = "/callbacks/slack/:integration";
  app.post(`${base}/interactions`, fromChat(SIGNING, serveInteraction));
  app.post(`${base}/choices`, fromChat(REPEATABLE, serveChoices));
  app.post(`${base}/commands`, fromChat(SIGNING, serveCommand));
  app.post(`${base}/events`, fromChat(REPEATABLE, serveSlackEvent));
}
