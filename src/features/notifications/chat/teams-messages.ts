// Messages that the bot writes in answer to what it receives: into the same conversation, or into the
// personal one with a person, which nobody else reads.
import type { ChatPerson } from "../../../domain/people/chat.ts";
import { callProvider } from "../../../products/call-provider.ts";
import { forgetToken } from "../../../products/outgoing/access-token.ts";
import { truncateText } from "../../../products/outgoing/message-text.ts";
import { activitiesOf } from "../../../products/teams/api.ts";
import { botOf, botRequest, botToken, openConversation } from "../../../products/teams/bot.ts";
import type { TeamsPlace } from "../../../products/teams/read-activities.ts";
import { linkText } from "./chat-person.ts";
import type { ChatRequest } from "./chat-request.ts";

const MAX_TEXT = 3_500;

const bodyOf = (text: string) => ({
  type: "message",
  text: truncateText(text, MAX_TEXT),
  textFormat: "plain",
});

/** Writes into a conversation. Returns whether Teams has taken it. */
async function writeTo(
  request: ChatRequest,
  service: string,
  conversation: string,
  text: string,
): Promise<boolean> {
  const bot = botOf(request.integration);
  const obtained = await botToken(request.env, bot, request.now);
  if (obtained.kind !== "token") return false;
  const path = activitiesOf(conversation);
  const call = botRequest(obtained.token, service, "POST", path, bodyOf(text));
  const answer = await callProvider(request.env, call);
  if (typeof answer === "string") return false;
  if (answer.status === 401) forgetToken(obtained.token);
  return answer.status < 300;
}

/** Writes into the conversation, where everybody in it reads it. */
export async function write(
  request: ChatRequest,
  { service, conversation }: TeamsPlace,
  text: string,
): Promise<void> {
  await writeTo(request, service, conversation, text);
}

/** Opens the conversation with a person; null if the bot cannot write to them. */
async function openPersonal(
  request: ChatRequest,
  { service, conversation, isPersonal }: TeamsPlace,
  { userId }: ChatPerson,
): Promise<string | null> {
  if (isPersonal) return conversation;
  const bot = botOf(request.integration);
  const obtained = await botToken(request.env, bot, request.now);
  if (obtained.kind !== "token") return null;
  const opened = await openConversation(request.env, bot, obtained.token, service, userId);
  return typeof opened === "string" ? opened : null;
}

/** Writes to the person alone. Returns whether they get it. */
async function writeInPrivate(
  request: ChatRequest,
  place: TeamsPlace,
  person: ChatPerson,
  text: string,
): Promise<boolean> {
  const personal = await openPersonal(request, place, person);
  return personal !== null && writeTo(request, place.service, personal, text);
}

/**
 * Sends the link by which somebody links their account, to them alone: whoever follows it would become
 * that person.
 *
 * @returns what to say where others read it
 */
export async function sendLink(
  request: ChatRequest,
  place: TeamsPlace,
  person: ChatPerson,
): Promise<string> {
  const isSent = await writeInPrivate(request, place, person, await linkText(request, person));
  return isSent
    ? "Link your Microsoft Teams account to Tocsin first: the app has sent you a link in your chat with it."
    : "Link your Microsoft Teams account to Tocsin first: write to the app in a chat of your own with it.";
}
