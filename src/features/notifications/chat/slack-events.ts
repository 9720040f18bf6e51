// Events of a Slack app: replies in threads. Slack sends an event again unless it is answered by 200.

import { parseJson } from "../../../domain/shared/json.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { callProvider } from "../../../products/call-provider.ts";
import { jsonRequest } from "../../../products/messenger.ts";
import type { ChatReply } from "../../../products/outgoing/chat-request.ts";
import { slackCall } from "../../../products/slack/api.ts";
import { readSlackChallenge, readSlackReply } from "../../../products/slack/read-requests.ts";
import { escapeText } from "../../../products/slack/text.ts";
import { linkText } from "./chat-person.ts";
import type { ChatRequest } from "./chat-request.ts";
import { commentReply } from "./comment-reply.ts";
import { shouldHint } from "./hints.ts";

const UNAVAILABLE = refuse("unavailable", "the comment cannot be stored now");

/** `POST /callbacks/slack/:integration/events`. */
export async function serveSlackEvent(request: ChatRequest): Promise<Response> {
  const event = parseJson(request.body);
  const challenge = readSlackChallenge(event);
  if (challenge !== null) return Response.json({ challenge });
  const reply = readSlackReply(event);
  if (reply !== null) {
    const outcome = await commentReply(request, reply, instantOf(reply));
    if (outcome === "unavailable") return respond(UNAVAILABLE, request.context.get("requestId"));
    if (outcome === "unlinked") request.context.executionCtx.waitUntil(hint(request, reply));
  }
  return Response.json({});
}

/** A message's id is the instant at which it was written, in seconds (epoch ms). */
const instantOf = ({ messageId }: ChatReply): number => Math.floor(Number(messageId) * 1000);

/** Tells the author that their reply is no comment, and how it would be. */
async function hint(request: ChatRequest, reply: ChatReply): Promise<void> {
  const { env, integration, now } = request;
  const { person, channel, threadId } = reply;
  const token = integration.secrets.bot_token ?? "";
  if (token === "" || !shouldHint(integration.accountId, person.userId, now)) return;
  const text = `This reply is not stored as a comment. ${await linkText(request, person)}`;
  const { url, headers } = slackCall("chat.postEphemeral", token, null);
  const body = { channel, user: person.userId, thread_ts: threadId, text: escapeText(text) };
  await callProvider(env, jsonRequest("POST", url, body, headers));
}
