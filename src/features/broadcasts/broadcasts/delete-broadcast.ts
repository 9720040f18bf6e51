import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { selectId } from "../../../kernel/db/records.ts";
import { deleteCommentsOn } from "../../alerts/comments/comment-rows.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { broadcasts } from "../../schema/messages.ts";
import { broadcastRecords } from "./broadcast-records.ts";
import { wakeBroadcast } from "./broadcast-writes.ts";

/**
 * Deletes a broadcast with its options, responses and comments; its notifications remain as
 * history. Null, or 404.
 */
export async function deleteBroadcast(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const target = sql`(${selectId(broadcastRecords, accountId, identifier)})`;
  const writes = [
    deleteCommentsOn(accountId, target),
    sql`delete from ${broadcasts} where ${broadcasts.id} = ${target}`,
  ];
  const change = { verb: "delete", records: broadcastRecords, identifier, writes };
  const { before } = await commitUnread(context, change);
  // Also if it is gone already: an earlier request may have ended before its object knew.
  wakeBroadcast(context, identifier);
  return before ? null : notFound("broadcast");
}
