// Who acts in a chat: the member who linked the account there, or the link for somebody who has not.
import type { LinkActor } from "../../../domain/access/actor.ts";
import { CHAT_TITLES, type ChatPerson } from "../../../domain/people/chat.ts";
import type { Context } from "../../change/context.ts";
import { chatLink } from "../../people/chat-accounts/chat-links.ts";
import { type ChatMember, readChatMember } from "../../people/chat-accounts/rows.ts";
import { answererContext } from "../callbacks/answerer-context.ts";
import type { ChatRequest } from "./chat-request.ts";

/** Reads the member who has linked an account in the chat; null if nobody has. */
export const findMember = (
  { db, signing, integration }: ChatRequest,
  person: Pick<ChatPerson, "workspaceId" | "userId">,
): Promise<ChatMember | null> => readChatMember(db, integration.accountId, signing.product, person);

/** The context of a verb that the member performs in the chat. */
export const memberContext = (
  { context, db, integration }: ChatRequest,
  { accountUserId, name }: ChatMember,
): Context<LinkActor> =>
  answererContext(context, db, { accountId: integration.accountId, accountUserId, name });

/** What is said to somebody who has not linked their account: the link that does so. */
export async function linkText(
  { env, signing, integration, now }: ChatRequest,
  person: ChatPerson,
): Promise<string> {
  const { product } = signing;
  const subject = { accountId: integration.accountId, product, person };
  const link = await chatLink(env, subject, now);
  return link === null
    ? "Your account cannot be linked: this deployment has no links."
    : `Link your ${CHAT_TITLES[product]} account to Tocsin first, then try again: ${link}`;
}
