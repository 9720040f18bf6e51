// The outgoing integrations to notify of a comment. A comment and its deliveries are written in one
// batch, so where integrations may be notified, the comment waits for that decision.
import { type SQL, sql } from "drizzle-orm";
import { selectCommentContext, toCommentContext } from "../../db/alerts/comment-context-rows.ts";
import { insertDeliveries, type PlannedDelivery } from "../../db/integrations/outgoing-rows.ts";
import { comments } from "../../db/schema/messages.ts";
import type { RowsOf } from "../../db/shared/select.ts";
import { selectOutgoing } from "../../objects/integrations/queue-announcements.ts";

/** True when the account has no outgoing integrations. */
export const nobodyHears = (accountId: string): SQL =>
  sql`not exists (${selectOutgoing(accountId)})`;

/**
 * Selects the account's outgoing integrations, and the context of the record that `parent` selects.
 */
export const audienceQueries = (accountId: string, parent: SQL) =>
  [selectOutgoing(accountId), selectCommentContext(accountId, parent), parent] as const;

/** Converts the rows of `audienceQueries`. */
export function toAudience([tellers, [context], [found]]: RowsOf<
  ReturnType<typeof audienceQueries>
>) {
  const parentId = found?.id;
  return {
    tellers,
    context: toCommentContext(context),
    parentId: parentId == null ? null : String(parentId),
  };
}

/** Queues the deliveries if the comment was written: its parent may have been deleted meanwhile. */
export function insertDeliveriesOf(
  accountId: string,
  commentId: string,
  planned: readonly PlannedDelivery[],
  now: number,
): SQL {
  const isThere = sql`exists (select 1 from ${comments} where ${comments.id} = ${commentId})`;
  return insertDeliveries(accountId, planned, now, isThere);
}
