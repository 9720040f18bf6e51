// The objects that may store data of a member to erase.
import { sql } from "drizzle-orm";
import type { PersonTraces } from "../../../domain/shared/anonymize.ts";
import { select } from "../../../kernel/db/select.ts";
import { absencePeople, absences } from "../../schema/absences.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { alertDestinations, alerts, notifications } from "../../schema/alerts.ts";
import { integrations } from "../../schema/integrations.ts";
import { broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

/** The kinds of record whose objects are searched. */
type TracedKind =
  | "absence"
  | "alert"
  | "broadcast"
  | "bulk_operation"
  | "integration"
  | "person"
  | "schedule"
  | "team";

export type TracedObject = { readonly kind: TracedKind; readonly id: string };

/**
 * Selects, in order, the objects after `after` that may store data of a member: kind and record id.
 * Includes every person's object of the account, since notifications to others may name the member.
 */
export function selectObjects(
  { accountId, accountUserId }: PersonTraces,
  after: readonly [kind: string, id: string],
  most: number,
) {
  const isTheirs = (table: typeof notifications | typeof broadcastResponses) =>
    sql`${table.accountId} = ${accountId} and ${table.accountUserId} = ${accountUserId}`;
  // Nested because D1 allows five terms in a compound select.
  const alertsOfMember = sql`select ${notifications.alertId} as id from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.alertId} is not null
    union select ${alertDestinations.alertId} from ${alertDestinations}
      where ${alertDestinations.accountId} = ${accountId}
        and ${alertDestinations.destinationId} = ${accountUserId}
    union select ${alerts.id} from ${alerts} where ${alerts.accountId} = ${accountId}
      and (${alerts.sourceId} = ${accountUserId} or instr(${alerts.workflows}, ${accountUserId}) > 0)`;
  const broadcastsOfMember = sql`select ${broadcasts.id} as id from ${broadcasts}
      where ${broadcasts.accountId} = ${accountId} and ${broadcasts.accountUserId} = ${accountUserId}
    union select ${notifications.broadcastId} from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.broadcastId} is not null
    union select ${broadcastResponses.broadcastId} from ${broadcastResponses}
      where ${isTheirs(broadcastResponses)}`;
  // Their objects are empty soon after they have ended.
  const absencesOfMember = sql`select ${absences.id} as id from ${absences}
      where ${absences.accountId} = ${accountId} and ${absences.askingStatus} is not null
        and ${absences.accountUserId} = ${accountUserId}
    union select ${absencePeople.absenceId} from ${absencePeople}
      where ${absencePeople.accountId} = ${accountId}
        and ${absencePeople.accountUserId} = ${accountUserId}`;
  // Anybody's: a refusal may name the member. Finished ones store nothing.
  const unfinishedOperations = sql`select ${bulkOperations.id} as id from ${bulkOperations}
    where ${bulkOperations.accountId} = ${accountId} and ${bulkOperations.status} <> 'finished'`;
  const onCallObjects = sql`select 'schedule' as kind, ${schedules.id} as id from ${schedules}
      where ${schedules.accountId} = ${accountId}
    union all select 'team', ${teams.id} from ${teams} where ${teams.accountId} = ${accountId}
    union all select 'absence', id from (${absencesOfMember})
    union all select 'bulk_operation', id from (${unfinishedOperations})`;
  return select(
    { kind: sql<TracedKind>`kind`, id: sql<string>`id` },
    sql`from (select 'alert' as kind, id from (${alertsOfMember})
      union all select 'broadcast', id from (${broadcastsOfMember})
      union all select 'integration', ${integrations.id} from ${integrations}
        where ${integrations.accountId} = ${accountId}
      union all select 'person', ${accountUsers.id} from ${accountUsers}
        where ${accountUsers.accountId} = ${accountId}
      union all select kind, id from (${onCallObjects}))
    where (kind, id) > (${after[0]}, ${after[1]}) order by kind, id limit ${most}`,
  );
}

/** Selects the ids of alerts created by requests with these logs. */
export const selectAlertsFrom = (accountId: string, logIds: readonly string[]) =>
  select(
    { id: alerts.id },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.sourceLogId} in (select value from json_each(${JSON.stringify(logIds)}))`,
  );
