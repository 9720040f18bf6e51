// The alerts and pages that reports count, newest first.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { ReportPeriod } from "../../../domain/reports/report.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { parsed, select } from "../../../kernel/db/select.ts";
import { alerts, exercises, notifications } from "../../schema/alerts.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { selectNamedTeams } from "../on-call-hours/hours-rows.ts";

type Period = Omit<ReportPeriod, "timeZone">;

type TeamWorkflow = { readonly teamId: string; readonly state: string };

/** The alerts that are test pages or drills; reports leave them out. */
const exerciseIds = (accountId: string, from: number) => sql`select ${exercises.alertId}
  from ${exercises} where ${exercises.accountId} = ${accountId}
    and ${exercises.alertId} >= ${firstIdentifierAt(from)}`;

/** Whether an alert was sent to one of some teams; no condition without teams. */
const isOfTeams = (accountId: string, alertId: SQLWrapper, teamIds: readonly string[]) =>
  teamIds.length === 0
    ? sql``
    : sql`and exists (select 1 from ${alertWorkflows}
        where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = ${alertId}
          and ${alertWorkflows.destinationType} = 'team'
          and ${alertWorkflows.destinationId} in (${selectNamedTeams(accountId, teamIds)}))`;

/** Selects the newest alerts of a window, with their workflows for teams. */
export const selectReportedAlerts = (
  accountId: string,
  { from, to, teamIds }: Period,
  most: number,
) =>
  select(
    {
      id: alerts.id,
      createdAt: alerts.createdAt,
      acknowledgedAt: alerts.acknowledgedAt,
      resolvedAt: alerts.resolvedAt,
      integrationId: sql<
        string | null
      >`iif(${alerts.sourceLogId} is null, null, ${alerts.sourceId})`,
      workflows: parsed<readonly TeamWorkflow[]>(sql`(select json_group_array(
          json_object('teamId', ${alertWorkflows.destinationId}, 'state', ${alertWorkflows.state}))
        from ${alertWorkflows} where ${alertWorkflows.accountId} = ${accountId}
          and ${alertWorkflows.alertId} = ${alerts.id}
          and ${alertWorkflows.destinationType} = 'team')`),
    },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.id} not in (${exerciseIds(accountId, from)})
      and ${alerts.id} >= ${firstIdentifierAt(from)} and ${alerts.id} < ${firstIdentifierAt(to)}
      ${isOfTeams(accountId, alerts.id, teamIds)}
    order by ${alerts.id} desc limit ${most}`,
  );

/** Selects the newest pages sent in a window, with the recipient's time zone. */
export const selectReportedPages = (
  accountId: string,
  { from, to, teamIds }: Period,
  most: number,
) =>
  select(
    {
      accountUserId: notifications.accountUserId,
      alertId: sql<string>`${notifications.alertId}`,
      at: sql<number>`${notifications.sentAt}`,
      timeZone: users.timeZone,
    },
    // By person and the time in the id: when the page was decided, which may be long before a row
    // of a later stage.
    sql`from ${accountUsers}
      cross join ${notifications} on ${notifications.accountId} = ${accountUsers.accountId}
        and ${notifications.accountUserId} = ${accountUsers.id}
        and ${notifications.id} >= ${firstIdentifierAt(from - DAY)}
        and ${notifications.id} < ${firstIdentifierAt(to)}
      join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.accountId} = ${accountId}
      and ${notifications.createdAt} >= ${from} and ${notifications.createdAt} < ${to}
      and ${notifications.ownerId} not in (${exerciseIds(accountId, from - DAY)})
      and ${notifications.event} = 'alert.open' and ${notifications.sentAt} is not null
      ${isOfTeams(accountId, notifications.alertId, teamIds)}
    order by ${notifications.createdAt} desc, ${notifications.id} desc limit ${most}`,
  );
