// Direct messages of the bot, which nobody but their reader gets: the answer to a request also reaches
// whoever claims to be that person.
import type { ChatPerson } from "../../../domain/people/chat.ts";
import { stringAt, stringOf } from "../../../domain/shared/json.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { callProvider } from "../../../products/call-provider.ts";
import { escapeMarkdown } from "../../../products/mattermost/text.ts";
import { jsonRequest } from "../../../products/messenger.ts";
import { linkText } from "./chat-person.ts";
import type { ChatRequest } from "./chat-request.ts";

/** Calls the API as the bot. `body` null: a GET. Returns the id in the answer; empty if it was refused. */
async function callAsBot(
  { env, integration: { options, secrets } }: ChatRequest,
  path: string,
  body: unknown,
): Promise<string> {
  const url = joinUrl(stringOf(options.server), `/api/v4${path}`);
  const headers = { authorization: `Bearer ${secrets.bot_token}` };
  const answer = await callProvider(
    env,
    body === null ? { method: "GET", url, headers, body } : jsonRequest("POST", url, body, headers),
  );
  return typeof answer === "object" && answer.status < 300 ? stringAt(answer.body, "id") : "";
}

/**
 * Sends the link by which somebody links their account, to them alone: whoever follows it would become
 * that person.
 *
 * @returns what to say where the request is answered
 */
export async function sendLink(request: ChatRequest, person: ChatPerson): Promise<string> {
  const bot = await callAsBot(request, "/users/me", null);
  const direct = [bot, person.userId];
  const channel = bot && (await callAsBot(request, "/channels/direct", direct));
  const message = escapeMarkdown(await linkText(request, person));
  const sent = channel && (await callAsBot(request, "/posts", { channel_id: channel, message }));
  return sent
    ? "Link your Mattermost account to Tocsin first: the bot has sent you a link in a direct message."
    : "Link your Mattermost account to Tocsin first. The bot could not send you the link: try again.";
}
