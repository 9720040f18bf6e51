import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { chatAccounts } from "../../schema/people.ts";
import { chatAccountScope } from "./chat-account-scope.ts";
import { chatAccountRecords } from "./rows.ts";

/** Unlinks an account in a chat from the actor; null, or 404. */
export async function deleteChatAccount(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = chatAccountScope(actor);
  const deletion = sql`delete from ${chatAccounts}
    where ${oneRecord(chatAccounts, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: chatAccountRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  return before ? null : notFound("chat_account");
}
