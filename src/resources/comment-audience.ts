// Who is told of a comment, read before it is written, so that comment and deliveries are one commit.
import { type SQL, sql } from "drizzle-orm";
import type { RawRow } from "../db/attributes.ts";
import { selectCommentContext, toCommentContext } from "../db/comment-context-rows.ts";
import { type Connection, statement } from "../db/database.ts";
import { insertDeliveries, type PlannedDelivery } from "../db/outgoing-rows.ts";
import { comments } from "../db/schema/messages.ts";
import { selectOutgoing, tellersIn } from "../objects/announce.ts";

/** The account's outgoing integrations, and what a comment on the record that `parent` selects hangs on. */
export async function audienceOf(db: Connection, accountId: string, parent: SQL) {
  const queries = [selectOutgoing(accountId), selectCommentContext(accountId, parent), parent];
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  const [tellers, context, found] = results.map((it) => it.results);
  const parentId = found?.[0]?.id;
  return {
    tellers: tellersIn(tellers),
    context: toCommentContext(context?.[0]),
    parentId: parentId == null ? null : String(parentId),
  };
}

/** Queues them if the comment was written: what it is on may have gone meanwhile. */
export function insertDeliveriesOf(
  accountId: string,
  commentId: string,
  planned: readonly PlannedDelivery[],
  now: number,
): SQL {
  const isThere = sql`exists (select 1 from ${comments} where ${comments.id} = ${commentId})`;
  return insertDeliveries(accountId, planned, now, isThere);
}
