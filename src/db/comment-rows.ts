// The comments of what is deleted go with it, and the comments on those.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { comments } from "./schema/messages.ts";

/**
 * Deletes every comment on a record, at any depth. May be run again.
 *
 * @param parentId the record's id, or a select of it in brackets
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
