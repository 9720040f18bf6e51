// Comments: what a record shows, and the kinds of record that can be commented on (contract 5).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Audience } from "../../../domain/integrations/announcement.ts";
import { reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { type Records, recordsIn, type Whereabouts } from "../../../kernel/db/records.ts";
import { mapped, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import { broadcasts, comments } from "../../schema/messages.ts";
import { accountUsers } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import type { COMMENTABLE_TYPES } from "./parameters.ts";

export type CommentContext = {
  readonly alertId: string | null;
  /** Title of the alert or broadcast; null for a comment on neither. */
  readonly title: string | null;
  readonly audience: Audience;
};

/** The context of a comment on neither an alert nor a broadcast. */
export const NO_CONTEXT: CommentContext = {
  alertId: null,
  title: null,
  audience: { teamIds: [], routerIds: [], accountUserIds: [] },
};

/** Maximum depth of a thread. */
const MAX_DEPTH = 100;

const columns = {
  alertId: sql<string | null>`alert_id`,
  title: sql<string>`title`,
  teamIds: parsed<readonly string[]>(sql`team_ids`),
  routerIds: parsed<readonly string[]>(sql`router_ids`),
  accountUserIds: parsed<readonly string[]>(sql`account_user_ids`),
  /** Destinations of the alert's workflows; the ids of teams and people never collide. */
  destinationIds: parsed<readonly string[]>(sql`destination_ids`),
  /** The people notified by each workflow. */
  notifiedIds: parsed<readonly (readonly string[])[]>(sql`notified_ids`),
};

/** Selects the context of a comment on the record whose id `parent` selects: one row or none. */
export function selectCommentContext(accountId: string, parent: SQL): Select<CommentContext> {
  const ofWorkflows = (value: SQL) => sql`(select json_group_array(${value}) from ${alertWorkflows}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = ${alerts.id})`;
  const rows = sql`with recursive up (id, depth) as (
      select id, 0 from (${parent})
      union all select ${comments.commentableId}, depth + 1 from up
        join ${comments} on ${comments.id} = up.id where depth < ${MAX_DEPTH})
    select ${alerts.id} as alert_id, ${alerts.title} as title,
      ${alerts.destinationTeamIds} as team_ids, ${alerts.destinationRouterIds} as router_ids,
      ${alerts.destinationAccountUserIds} as account_user_ids,
      ${ofWorkflows(sql`${alertWorkflows.destinationId}`)} as destination_ids,
      ${ofWorkflows(sql`json(${alertWorkflows.accountUserIds})`)} as notified_ids
    from ${alerts} where ${alerts.accountId} = ${accountId} and ${alerts.id} in (select id from up)
    union all select null, ${broadcasts.title}, ${broadcasts.destinationTeamIds}, '[]',
      ${broadcasts.destinationAccountUserIds}, '[]', '[]'
    from ${broadcasts} where ${broadcasts.accountId} = ${accountId}
      and ${broadcasts.id} in (select id from up)
    limit 1`;
  return mapped(select(columns, sql`from (${rows})`), toContext);
}

function toContext({
  alertId,
  title,
  teamIds,
  routerIds,
  accountUserIds,
  destinationIds,
  notifiedIds,
}: RowOf<typeof columns>): CommentContext {
  return {
    alertId,
    title,
    audience: {
      teamIds: [...teamIds, ...destinationIds],
      routerIds,
      accountUserIds: [...accountUserIds, ...destinationIds, ...notifiedIds.flat()],
    },
  };
}

export type CommentableType = (typeof COMMENTABLE_TYPES)[number];

export const commentRecords: Records<"Comment"> = {
  kind: "comment",
  shows: "Comment",
  from: comments,
  accountId: comments.accountId,
  id: comments.id,
  prefixId: comments.prefixId,
  attributes: {
    ...plainAttributes("Comment", comments, []),
    commentable_id: reference(
      comments.commentableId,
      comments.accountId,
      alerts,
      broadcasts,
      comments,
    ),
    parent_id: reference(comments.parentId, comments.accountId, comments),
    account_user_id: reference(comments.accountUserId, comments.accountId, accountUsers),
  },
  search: [comments.body],
  total: "comments",
};

/** Where the records are that a comment can be on. */
export const COMMENTED: Readonly<Record<CommentableType, Whereabouts>> = {
  Alert: recordsIn("alert", alerts),
  Broadcast: recordsIn("broadcast", broadcasts),
  Comment: recordsIn("comment", comments),
};

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
