// The callback of the Teams bots: actions of alerts, and messages to the bot, which are commands or
// comments. With the permission to read the channel, all its messages come here: those among people are
// comments in the threads of alerts, and nothing elsewhere. An action is answered to the person alone; a message where it was written.
import type { Hono } from "hono";
import { CHAT_TITLES, type ChatPerson } from "../../../domain/people/chat.ts";
import { parseJson, stringAt, stringOf } from "../../../domain/shared/json.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import type { ChatCommand } from "../../../products/outgoing/chat-request.ts";
import {
  placeOf,
  readTeamsActivity,
  type TeamsActivity,
  type TeamsPlace,
} from "../../../products/teams/read-activities.ts";
import type { OutgoingIntegration } from "../../integrations/deliveries/rows.ts";
import type { ChatMember } from "../../people/chat-accounts/rows.ts";
import { findMember, memberContext } from "./chat-person.ts";
import { type ChatRequest, type ChatSigning, fromChat } from "./chat-request.ts";
import { COMMANDS_HELP, wordsFor } from "./chat-words.ts";
import { commentReply } from "./comment-reply.ts";
import { shouldHint } from "./hints.ts";
import { respondInTime } from "./in-time.ts";
import { performAction, performCommand, performComment, performHandOff } from "./perform.ts";
import { TOKEN_MS } from "./signed-token.ts";
import { sendLink, write } from "./teams-messages.ts";
import { isSignedByTeams } from "./teams-signature.ts";

const optionOf = ({ options }: OutgoingIntegration, key: string): string => stringOf(options[key]);

/** The Bot Connector's token does not cover the body. */
const ONCE: readonly TeamsActivity["kind"][] = ["action", "submission", "command"];

const SIGNING: ChatSigning = {
  product: "teams",
  title: CHAT_TITLES.teams,
  type: "teams_app",
  canVerify: (integration) => optionOf(integration, "app_id") !== "",
  isSigned: (integration, headers, body, now) =>
    isSignedByTeams(optionOf(integration, "app_id"), headers, body, now),
  notSigned: "forbidden",
  // A message is stored once however often it is received: it may come again after a failure.
  claimOf: ({ body, integration }) => {
    const parsed = parseJson(body);
    const activity = readTeamsActivity(parsed, optionOf(integration, "tenant"));
    if (!ONCE.includes(activity.kind)) return null;
    return [JSON.stringify(activity), stringAt(parsed, "id"), stringAt(parsed, "timestamp")];
  },
  validMs: TOKEN_MS,
};

const UNAVAILABLE = refuse("unavailable", "the comment cannot be stored now");

/** The answer to an action, which is shown to the person alone. */
const say = (text: string): Response =>
  Response.json({
    statusCode: 200,
    type: "application/vnd.microsoft.activity.message",
    value: text,
  });

const unknownAction = (): Response =>
  Response.json({
    statusCode: 400,
    type: "application/vnd.microsoft.error",
    value: { code: "BadRequest", message: "This does nothing here." },
  });

type Action = Extract<TeamsActivity, { kind: "action" | "submission" }>;

/** `POST /callbacks/teams/:integration/messages`. */
async function serveActivity(request: ChatRequest): Promise<Response> {
  const body = parseJson(request.body);
  const activity = readTeamsActivity(body, optionOf(request.integration, "tenant"));
  if (activity.kind === "other") return Response.json({});
  if (activity.kind === "unknown_action") return unknownAction();
  if (activity.kind === "message") return comment(request, body, activity);
  if (activity.kind === "command") return obey(request, placeOf(body), activity.command);
  const { executionCtx } = request.context;
  const work = act(request, body, activity);
  const late = () => say("This takes longer than usual.");
  return respondInTime((it) => executionCtx.waitUntil(it), work, late);
}

async function act(request: ChatRequest, body: unknown, action: Action): Promise<Response> {
  const member = await findMember(request, action.person);
  if (member === null) return say(await sendLink(request, placeOf(body), action.person));
  return say((await perform(request, member, action)) ?? "Done.");
}

/** Performs an action. Returns why not; null if it is done. */
async function perform(
  request: ChatRequest,
  member: ChatMember,
  it: Action,
): Promise<string | null> {
  const context = memberContext(request, member);
  if (it.kind === "submission" && it.form === "comment") {
    return performComment(request, context, it.alertId, it.value);
  }
  const words = await (it.kind === "action"
    ? performAction(context, it.alertId, it.action)
    : performHandOff(context, it.alertId, it.value));
  return words === null ? null : wordsFor(member, words, request.now);
}

async function obey(
  request: ChatRequest,
  place: TeamsPlace,
  command: ChatCommand,
): Promise<Response> {
  const member = await findMember(request, command.person);
  if (member === null) await tellToLink(request, place, command.person);
  else {
    const context = memberContext(request, member);
    await write(request, place, await performCommand(request, context, command));
  }
  return Response.json({});
}

/** Sends the link, and says so where somebody has written to the bot. */
async function tellToLink(
  request: ChatRequest,
  place: TeamsPlace,
  person: ChatPerson,
): Promise<void> {
  const text = await sendLink(request, place, person);
  if (!place.isPersonal) await write(request, place, text);
}

/** A message in the thread of an alert is a comment. */
async function comment(
  request: ChatRequest,
  body: unknown,
  { reply, isToBot }: Extract<TeamsActivity, { kind: "message" }>,
): Promise<Response> {
  const [place, written] = [placeOf(body), Date.parse(stringAt(body, "timestamp"))];
  const at = Number.isNaN(written) ? request.now : written;
  const outcome = reply.text === "" ? "elsewhere" : await commentReply(request, reply, at);
  if (outcome === "unavailable") return respond(UNAVAILABLE, request.context.get("requestId"));
  const { person } = reply;
  if (outcome === "unlinked") {
    const { accountId } = request.integration;
    if (isToBot) await tellToLink(request, place, person);
    else if (shouldHint(accountId, person.userId, request.now)) {
      await sendLink(request, place, person);
    }
  }
  if (outcome === "elsewhere" && isToBot) await answerElsewhere(request, place, person);
  return Response.json({});
}

/** Whoever writes something else to the bot is told what it understands, or how to link their account. */
async function answerElsewhere(
  request: ChatRequest,
  place: TeamsPlace,
  person: ChatPerson,
): Promise<void> {
  if ((await findMember(request, person)) === null) await tellToLink(request, place, person);
  else await write(request, place, COMMANDS_HELP);
}

export function mountTeams(app: Hono<Environment>): void {
  app.post("/callbacks/teams/:integration/messages", fromChat(SIGNING, serveActivity));
}
