// Finds the alert or broadcast at the root of a comment's thread, and its audience.
import { type SQL, sql } from "drizzle-orm";
import type { Audience } from "../../../domain/integrations/announcement.ts";
import { mapped, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import { broadcasts, comments } from "../../schema/messages.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";

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
