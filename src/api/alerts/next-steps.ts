// Predicts the next escalation step of an unanswered alert by the current policy and schedule. Both
// are read again when the step runs, so the prediction may change. One round trip.
import { sql } from "drizzle-orm";
import type { NextStep as ShownStep } from "../../contract/alerts/next-step.ts";
import { alertRecords } from "../../db/alerts/alert-rows.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../db/oncall/oncall-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { selectId } from "../../db/records/records.ts";
import { alertWorkflows } from "../../db/schema/alerts.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  teams,
} from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { batch } from "../../db/shared/select.ts";
import { type NextStep, predictNextStep } from "../../domain/alerts/escalation/next-step.ts";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { isRefusal, notFound } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { type Answer, bare } from "../../http/answers.ts";
import { pathIdentifier } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { bareList } from "../../http/shown.ts";

// ── Rows ──

/** Selects the alert's open workflows, each with its team's current policy. */
const selectWaiting = (accountId: string, alertId: object) =>
  sql`select ${alertWorkflows.id} as id, ${alertWorkflows.destinationType} as destination_type,
      ${alertWorkflows.destinationId} as destination_id, ${alertWorkflows.layer} as layer,
      ${alertWorkflows.pass} as pass, ${alertWorkflows.accountUserIds} as account_user_ids,
      ${alertWorkflows.nextStepAt} as next_step_at, ${teams.scheduleId} as schedule_id,
      ${escalationPolicies.repeat} as repeat,
      (select json_group_array(layer order by layer) from ${escalationLayers}
        where ${escalationLayers.accountId} = ${accountId}
          and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}) as layers,
      (select json_group_array(json_object('type', receiver_type, 'id', receiver_id)
          order by ${escalationReassignments.position}) from ${escalationReassignments}
        where ${escalationReassignments.escalationPolicyId} = ${teams.escalationPolicyId}) as reassign
    from ${alertWorkflows}
      left join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
        and ${teams.accountId} = ${accountId}
      left join ${escalationPolicies} on ${escalationPolicies.id} = ${teams.escalationPolicyId}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = (${alertId})
      and ${alertWorkflows.state} = 'open' and ${alertWorkflows.nextStepAt} is not null
    order by ${alertWorkflows.createdAt}, ${alertWorkflows.id}`;

const schedulesOf = (accountId: string, alertId: object) =>
  sql`select ${teams.scheduleId} from ${alertWorkflows}
      join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
        and ${teams.accountId} = ${accountId}
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = (${alertId})
      and ${alertWorkflows.state} = 'open' and ${teams.scheduleId} is not null`;

/**
 * Selects people who may be in schedules but are not notified: invited members who have not joined.
 */
const selectAbsent = (accountId: string) =>
  sql`select ${accountUsers.id} as id from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} <> 'active'`;

const parseList = <Item>(value: unknown) => JSON.parse(String(value ?? "[]")) as Item[];

function toNextStep(
  row: RawRow,
  events: readonly OnCallEvent[],
  absent: ReadonlySet<string>,
  now: number,
): NextStep | null {
  return predictNextStep({
    layer: row.layer === null ? null : Number(row.layer),
    pass: Number(row.pass),
    layers: parseList<number>(row.layers),
    repeat: Number(row.repeat ?? 0),
    events,
    absent,
    // An overdue step runs now.
    at: Math.max(Number(row.next_step_at), now),
  });
}

function show(row: RawRow, next: NextStep | null): ShownStep {
  const reassign = parseList<{ type: string; id: string }>(row.reassign);
  const idsOf = (type: string) => reassign.filter((it) => it.type === type).map(({ id }) => id);
  return {
    workflow_id: String(row.id),
    destination_type: String(row.destination_type),
    destination_id: String(row.destination_id),
    layer: row.layer === null ? null : Number(row.layer),
    pass: Number(row.pass),
    account_user_ids: parseList<string>(row.account_user_ids),
    at: formatInstant(Number(row.next_step_at)),
    next: next && { layer: next.layer, pass: next.pass, account_user_ids: next.accountUserIds },
    reassign_team_ids: idsOf("team"),
    reassign_account_user_ids: idsOf("account_user"),
  };
}

// ── Routes ──

async function list(request: ApiRequest): Promise<Answer> {
  const { db, actor, now } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "alert");
  if (isRefusal(identifier)) return identifier;
  const alertId = selectId(alertRecords, accountId, identifier);
  const [found, waiting, eventRows, absentRows] = await batch(db, [
    alertId,
    selectWaiting(accountId, alertId),
    selectOnCallEvents(accountId, schedulesOf(accountId, alertId), now),
    selectAbsent(accountId),
  ]);
  if (!found[0]) return notFound("alert");
  const events = toOnCallEvents(eventRows);
  const absent = new Set(absentRows.map(({ id }) => String(id)));
  const body = waiting.map((row) => {
    const ofSchedule = events.get(String(row.schedule_id)) ?? [];
    return show(row, toNextStep(row, ofSchedule, absent, now));
  });
  return bare(body);
}

export const nextStepRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/alerts/:id/next_steps",
    operation: "getAlertNextSteps",
    summary: "Get an alert's next escalation steps",
    description: `One entry for each destination with an open workflow: who has been notified, until when, and who would be notified next by the current policy and schedule. If \`next\` is null, nobody is left to notify, and the alert is reassigned to the listed teams and people, if any.`,
    shows: bareList("NextStep"),
    handle: list,
  }),
];
