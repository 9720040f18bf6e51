// Finds the alert or broadcast at the root of a comment's thread, and its audience.
import { type SQL, sql } from "drizzle-orm";
import type { Audience } from "../../domain/integrations/announcement.ts";
import type { RawRow } from "../records/attributes.ts";
import { alerts, alertWorkflows } from "../schema/alerts.ts";
import { broadcasts, comments } from "../schema/messages.ts";

export type CommentContext = {
  readonly alertId: string | null;
  /** Title of the alert or broadcast; null for a comment on neither. */
  readonly title: string | null;
  readonly audience: Audience;
};

/** Maximum depth of a thread. */
const MAX_DEPTH = 100;

/** Selects the context of a comment on the record whose id `parent` selects: one row or none. */
export function selectCommentContext(accountId: string, parent: SQL): SQL {
  const ofWorkflows = (value: SQL) => sql`(select json_group_array(${value}) from ${alertWorkflows}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = ${alerts.id})`;
  return sql`with recursive up (id, depth) as (
      select id, 0 from (${parent})
      union all select ${comments.commentableId}, depth + 1 from up
        join ${comments} on ${comments.id} = up.id where depth < ${MAX_DEPTH})
    select ${alerts.id} as alert_id, ${alerts.title} as title,
      ${alerts.destinationTeamIds} as team_ids, ${alerts.destinationRouterIds} as router_ids,
      ${alerts.destinationAccountUserIds} as account_user_ids,
      ${ofWorkflows(sql`${alertWorkflows.destinationId}`)} as led,
      ${ofWorkflows(sql`json(${alertWorkflows.accountUserIds})`)} as asked
    from ${alerts} where ${alerts.accountId} = ${accountId} and ${alerts.id} in (select id from up)
    union all select null, ${broadcasts.title}, ${broadcasts.destinationTeamIds}, '[]',
      ${broadcasts.destinationAccountUserIds}, '[]', '[]'
    from ${broadcasts} where ${broadcasts.accountId} = ${accountId}
      and ${broadcasts.id} in (select id from up)
    limit 1`;
}

/** Converts a row of `selectCommentContext`; undefined = a comment on neither. */
export function toCommentContext(row: RawRow | undefined): CommentContext {
  if (!row) {
    const audience = { teamIds: [], routerIds: [], accountUserIds: [] };
    return { alertId: null, title: null, audience };
  }
  const list = (value: unknown) => JSON.parse(String(value)) as string[];
  // Team ids and person ids never collide.
  const destinationIds = list(row.led);
  const notifiedIds = (JSON.parse(String(row.asked)) as string[][]).flat();
  return {
    alertId: row.alert_id == null ? null : String(row.alert_id),
    title: String(row.title),
    audience: {
      teamIds: [...list(row.team_ids), ...destinationIds],
      routerIds: list(row.router_ids),
      accountUserIds: [...list(row.account_user_ids), ...destinationIds, ...notifiedIds],
    },
  };
}
