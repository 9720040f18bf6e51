// Who is told of a comment. Comment and deliveries are one commit: where somebody may have to be told, it is written
// only once that is known.
import { type SQL, sql } from "drizzle-orm";
import { selectCommentContext, toCommentContext } from "../../db/alerts/comment-context-rows.ts";
import { insertDeliveries, type PlannedDelivery } from "../../db/integrations/outgoing-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { comments } from "../../db/schema/messages.ts";
import {
  selectOutgoing,
  toAnnouncementTargets,
} from "../../objects/integrations/queue-announcements.ts";

/** True in an account of which nothing is told anywhere. */
export const nobodyHears = (accountId: string): SQL =>
  sql`not exists (${selectOutgoing(accountId)})`;

/** The account's outgoing integrations, and what a comment on the record that `parent` selects hangs on. */
export const audienceQueries = (accountId: string, parent: SQL): readonly SQL[] => [
  selectOutgoing(accountId),
  selectCommentContext(accountId, parent),
  parent,
];

/** The rows of `audienceQueries`. */
export function toAudience([tellers, context, found]: readonly (readonly RawRow[])[]) {
  const parentId = found?.[0]?.id;
  return {
    tellers: toAnnouncementTargets(tellers),
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
