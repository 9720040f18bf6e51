// Deletes the comments of a deleted record, with their replies.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { comments } from "../../schema/messages.ts";

/**
 * Deletes every comment on a record, at any depth. Safe to repeat.
 *
 * @param parentId the record's id, or a select of it in parentheses
 */
export function deleteCommentsOn(accountId: string, parentId: SQLWrapper): SQL {
  return sql`with recursive thread (id) as (
      select ${comments.id} from ${comments}
        where ${comments.accountId} = ${accountId} and ${comments.commentableId} = ${parentId}
      union
      select reply.id from thread join ${comments} as reply
        on reply.account_id = ${accountId} and reply.commentable_id = thread.id)
    delete from ${comments} where ${comments.id} in (select id from thread)`;
}
