// Links an account in a chat product to the person who is signed in here.
import { CHAT_TITLES } from "../../../domain/people/chat.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import type { Context } from "../../change/context.ts";
import type { ChatLinkSubject } from "./chat-links.ts";
import { putChatAccount, readChatMember, selectLinkable } from "./rows.ts";

const NO_MEMBER = refuse("forbidden", "you are not a member of the account of this link");
/** The most accounts in chats that a person links. */
const MAX_LINKED = 20;

const FULL = refuse("conflict", `a person links at most ${MAX_LINKED} chat accounts; unlink one`);
const TAKEN = refuse(
  "conflict",
  "this chat account is linked to another person; they can unlink it",
);

/**
 * The membership to which a person may link an account in a chat.
 *
 * @param userId the signed-in person
 * @returns the id of the account user; 403 for somebody who is no member; 409 if another member has
 *   linked it, or with too many linked accounts
 */
export async function findLinkable(
  { db }: Pick<Context, "db">,
  userId: string,
  { accountId, product, person }: ChatLinkSubject,
): Promise<string | Refusal> {
  const member = await first(db, selectLinkable(accountId, userId, product, person));
  if (member === null) return NO_MEMBER;
  if (member.isTaken) return TAKEN;
  return member.linkedCount >= MAX_LINKED ? FULL : member.accountUserId;
}

/**
 * Links an account in a chat to the signed-in person, who then acts by it. Notifies the person by
 * e-mail.
 *
 * @returns null; 403 or 409 as `findLinkable`
 */
export async function linkChatAccount(
  context: Pick<Context, "db" | "env" | "now">,
  userId: string,
  identity: ChatLinkSubject,
): Promise<Refusal | null> {
  const { db, env, now } = context;
  const { accountId, product, person } = identity;
  const accountUserId = await findLinkable(context, userId, identity);
  if (typeof accountUserId !== "string") return accountUserId;
  const about = { userId, accountId, byUserId: userId };
  const detail = `${person.name} in ${CHAT_TITLES[product]}`;
  await batch(db, [
    ...(await securityNotices(env, about, [{ kind: "chat_linked", detail }], now)),
    putChatAccount(accountId, accountUserId, product, person, now),
  ]);
  // Another member may have linked it meanwhile.
  const linked = await readChatMember(db, accountId, product, person);
  return linked?.accountUserId === accountUserId ? null : TAKEN;
}
