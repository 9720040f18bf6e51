// Alert workflows: the escalation of an alert at one destination, read only (contract 2, Alert
// workflows).
import { type SQL, sql } from "drizzle-orm";
import type { Destination } from "../../../domain/alerts/alert.ts";
import {
  boolean,
  hash,
  instant,
  number,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  teams,
} from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";

const runningColumns = {
  id: alertWorkflows.id,
  alertId: alertWorkflows.alertId,
  state: alertWorkflows.state,
  updatedAt: alertWorkflows.updatedAt,
  destinationType: alertWorkflows.destinationType,
  destinationId: alertWorkflows.destinationId,
  layer: alertWorkflows.layer,
  pass: alertWorkflows.pass,
  accountUserIds: alertWorkflows.accountUserIds,
  nextStepAt: alertWorkflows.nextStepAt,
  /**
   * Who acknowledged it last, stored as their position among everyone asked, or as their id. Of an
   * open workflow: this person is notified alone, of news.
   */
  acknowledgedBy: sql<string | null>`(select iif(typeof(stored.value ->> 'by') = 'integer',
      coalesce(stored.value -> 'asked', stored.value -> 'people') ->> (stored.value ->> 'by'),
      stored.value ->> 'by')
    from ${alerts}, json_each(${alerts.workflows}) as stored
    where ${alerts.accountId} = ${alertWorkflows.accountId} and ${alerts.id} = ${alertWorkflows.alertId}
      and stored.value ->> 'id' = ${alertWorkflows.id})`,
  /** Of the team; null for a person and for a team without a schedule. */
  scheduleId: sql<string | null>`${teams.scheduleId}`,
  repeat: sql<number>`coalesce(${escalationPolicies.repeat}, 0)`,
  /** The policy's layers, ascending. */
  layers: parsed<
    readonly number[]
  >(sql`(select json_group_array(layer order by layer) from ${escalationLayers}
    where ${escalationLayers.accountId} = ${alertWorkflows.accountId}
      and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId})`),
  reassign: parsed<
    readonly Destination[]
  >(sql`(select json_group_array(json_object('type', receiver_type, 'id', receiver_id)
      order by ${escalationReassignments.position}) from ${escalationReassignments}
    where ${escalationReassignments.escalationPolicyId} = ${teams.escalationPolicyId})`),
};

/** An open workflow with a next step or an acknowledged one, with its team's current policy. */
export type RunningWorkflow = RowOf<typeof runningColumns>;

/**
 * Selects the workflows of alerts that wait for an answer, and those that were acknowledged, except
 * of requested responders.
 *
 * @param alertIds a select of the alerts' ids
 */
export const selectRunning = (accountId: string, alertIds: SQL) =>
  select(
    runningColumns,
    sql`from ${alertWorkflows}
      left join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
        and ${teams.accountId} = ${accountId}
      left join ${escalationPolicies} on ${escalationPolicies.id} = ${teams.escalationPolicyId}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} in (${alertIds})
      and (${alertWorkflows.state} = 'open' and ${alertWorkflows.nextStepAt} is not null
        or ${alertWorkflows.state} = 'acknowledged' and not ${alertWorkflows.isRequested})
    order by ${alertWorkflows.createdAt}, ${alertWorkflows.id}`,
  );

/** Selects the ids of the schedules of the alert's open workflows. */
export const schedulesOfWorkflows = (accountId: string, alertId: SQL): SQL =>
  sql`select ${teams.scheduleId} from ${alertWorkflows}
      join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
        and ${teams.accountId} = ${accountId}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = (${alertId})
      and ${alertWorkflows.state} = 'open' and ${teams.scheduleId} is not null`;

/**
 * Selects people who may be in schedules but are not notified: invited members who have not joined.
 */
export const selectAbsent = (accountId: string) =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} <> 'active'`,
  );

const prefixId = prefixIdFrom("alert_workflow", alertWorkflows.id);

export const workflowRecords: Records<"AlertWorkflow"> = {
  kind: "alert_workflow",
  shows: "AlertWorkflow",
  from: alertWorkflows,
  accountId: alertWorkflows.accountId,
  id: alertWorkflows.id,
  prefixId,
  attributes: {
    id: string(alertWorkflows.id),
    prefix_id: string(prefixId),
    account_id: string(alertWorkflows.accountId),
    created_at: instant(alertWorkflows.createdAt),
    updated_at: instant(alertWorkflows.updatedAt),
    meta: hash(alertWorkflows.meta),
    alert_id: reference(alertWorkflows.alertId, alertWorkflows.accountId, alerts),
    destination_type: string(alertWorkflows.destinationType),
    destination_id: reference(
      alertWorkflows.destinationId,
      alertWorkflows.accountId,
      teams,
      accountUsers,
    ),
    state: string(alertWorkflows.state),
    requested: boolean(alertWorkflows.isRequested),
    layer: number(alertWorkflows.layer),
    pass: number(alertWorkflows.pass),
    account_user_ids: references(
      alertWorkflows.accountUserIds,
      alertWorkflows.accountId,
      accountUsers,
    ),
    next_step_at: instant(alertWorkflows.nextStepAt),
  },
  search: [],
};
