// The callback of the Google Chat apps: buttons and dialogs of alerts, commands, and replies in
// threads that mention the app. What a person should know is shown to them alone.
import type { Hono } from "hono";
import { CHAT_TITLES } from "../../../domain/people/chat.ts";
import { parseJson, stringAt } from "../../../domain/shared/json.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import {
  type GoogleChatEvent,
  type GoogleDialog,
  isDirectMessage,
  readGoogleChatEvent,
  threadOf,
} from "../../../products/google-chat/read-events.ts";
import { withoutMarkupAroundLinks } from "../../../products/google-chat/text.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import { actionNamed } from "../../../products/outgoing/read-actions.ts";
import type { OutgoingIntegration } from "../../integrations/deliveries/rows.ts";
import type { ChatMember } from "../../people/chat-accounts/rows.ts";
import { findMember, linkText, memberContext } from "./chat-person.ts";
import { type ChatRequest, type ChatSigning, fromChat } from "./chat-request.ts";
import { COMMANDS_HELP, wordsFor } from "./chat-words.ts";
import { commentReply } from "./comment-reply.ts";
import { dialogFor, textDialog } from "./google-chat-dialogs.ts";
import { isSignedByGoogleChat } from "./google-chat-signature.ts";
import { respondInTime } from "./in-time.ts";
import { performAction, performCommand, performComment, performHandOff } from "./perform.ts";
import { TOKEN_MS } from "./signed-token.ts";

const projectOf = ({ options }: OutgoingIntegration): string =>
  typeof options.project_number === "string" ? options.project_number : "";

/** Google's token does not cover the body. */
const ONCE: readonly GoogleChatEvent["kind"][] = ["action", "submission", "command"];

const SIGNING: ChatSigning = {
  product: "google_chat",
  title: CHAT_TITLES.google_chat,
  type: "google_chat_app",
  canVerify: (integration) => projectOf(integration) !== "",
  isSigned: (integration, headers, _, now) =>
    isSignedByGoogleChat(projectOf(integration), headers, now),
  // As Google's documentation asks.
  notSigned: "unauthenticated",
  // A dialog may be opened again, and a comment is stored once however often it is received: it may come
  // again after a failure.
  claimOf: ({ body, integration }) => {
    const parsed = parseJson(body);
    const event = readGoogleChatEvent(parsed, projectOf(integration));
    return ONCE.includes(event.kind)
      ? [JSON.stringify(event), stringAt(parsed, "eventTime")]
      : null;
  },
  validMs: TOKEN_MS,
};

/** A message has at most 4,096 characters. */
const MAX_TEXT = 3_500;

const UNAVAILABLE = refuse("unavailable", "the comment cannot be stored now");

const NOTHING = {};

type Known = Exclude<GoogleChatEvent, { kind: "added" | "other" }>;

const personOf = (event: Known) => {
  if (event.kind === "command") return event.command.person;
  return event.kind === "message" ? event.reply.person : event.person;
};

/** A message that only the person sees. */
function tell(event: unknown, text: string): Response {
  const [thread, viewer] = [threadOf(event), stringAt(event, "user", "name")];
  return Response.json({
    text: withoutMarkupAroundLinks(truncateText(text, MAX_TEXT)),
    ...(thread !== "" && { thread: { name: thread } }),
    ...(!isDirectMessage(event) && { privateMessageViewer: { name: viewer } }),
  });
}

/** Closes a dialog; a text is shown beside it, which then stays open. */
const closeDialog = (fault: string | null): Response => {
  const actionStatus =
    fault === null
      ? { statusCode: "OK", userFacingMessage: "Done." }
      : { statusCode: "INVALID_ARGUMENT", userFacingMessage: fault };
  return Response.json({ actionResponse: { type: "DIALOG", dialogAction: { actionStatus } } });
};

/** Tells the person something in the form in which the event is answered. */
function sayTo(event: Known, body: unknown, text: string): Response {
  if (event.kind === "ask") return Response.json(textDialog(text));
  return event.kind === "submission" ? closeDialog(text) : tell(body, text);
}

/** `POST /callbacks/google-chat/:integration/events`. */
async function serveEvent(request: ChatRequest): Promise<Response> {
  const body = parseJson(request.body);
  const event = readGoogleChatEvent(body, projectOf(request.integration));
  if (event.kind === "other") return Response.json(NOTHING);
  if (event.kind === "added") {
    return Response.json({ text: `Alerts are announced here. ${COMMANDS_HELP}` });
  }
  const { executionCtx } = request.context;
  const late = () => sayTo(event, body, "This takes longer than usual.");
  const work = answer(request, body, event);
  return respondInTime((it) => executionCtx.waitUntil(it), work, late);
}

async function answer(request: ChatRequest, body: unknown, event: Known): Promise<Response> {
  const person = personOf(event);
  const member = await findMember(request, person);
  if (member === null) return sayTo(event, body, await linkText(request, person));
  const context = memberContext(request, member);
  switch (event.kind) {
    case "action": {
      const words = await performAction(context, event.alertId, event.action);
      return words === null
        ? Response.json(NOTHING)
        : tell(body, wordsFor(member, words, request.now));
    }
    case "ask":
      return Response.json(await dialogFor(request, event.dialog, event.alertId));
    case "submission": {
      const { dialog, alertId, value } = event;
      return closeDialog(await submit(request, member, dialog, alertId, value));
    }
    case "command":
      return tell(body, await performCommand(request, context, event.command));
    case "message":
      return comment(request, body, event);
  }
}

/** Does what a dialog was opened for. Returns why not; null if it is done. */
async function submit(
  request: ChatRequest,
  member: ChatMember,
  dialog: GoogleDialog,
  alertId: string,
  value: string,
): Promise<string | null> {
  const context = memberContext(request, member);
  if (dialog === "comment") return performComment(request, context, alertId, value);
  const action = actionNamed(dialog, value);
  if (dialog === "snooze" && action === null) return "Choose for how long.";
  const words = await (action === null
    ? performHandOff(context, alertId, value)
    : performAction(context, alertId, action));
  return words === null ? null : wordsFor(member, words, request.now);
}

/** A message that mentions the app in the thread of an alert is a comment. */
async function comment(
  request: ChatRequest,
  body: unknown,
  { reply }: Extract<GoogleChatEvent, { kind: "message" }>,
): Promise<Response> {
  const written = Date.parse(stringAt(body, "eventTime"));
  const outcome =
    reply.channel === "" || reply.text === ""
      ? "elsewhere"
      : await commentReply(request, reply, Number.isNaN(written) ? request.now : written);
  if (outcome === "unavailable") return respond(UNAVAILABLE, request.context.get("requestId"));
  return outcome === "done" ? Response.json(NOTHING) : tell(body, COMMANDS_HELP);
}

export function mountGoogleChat(app: Hono<Environment>): void {
  app.post("/callbacks/google-chat/:integration/events", fromChat(SIGNING, serveEvent));
}
