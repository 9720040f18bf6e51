import { predictNextStep } from "../../../domain/alerts/next-step.ts";
import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { selectId } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { alertRecords } from "../alerts/alert-records.ts";
import type { NextStep } from "./contract.ts";
import { type RunningWorkflow, schedulesOfWorkflows, selectAbsent, selectRunning } from "./rows.ts";

/**
 * Predicts the next escalation step of an unanswered alert by the current policy and schedule, for
 * each destination with an open workflow. Both are read again when the step runs, so the prediction
 * may change. One round trip.
 *
 * @returns the steps; 404
 */
export async function readNextSteps(
  { db, actor, now }: Pick<Context, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<readonly NextStep[] | Refusal> {
  const { accountId } = actor;
  const alertId = selectId(alertRecords, accountId, identifier);
  const [found, running, eventRows, absences, past, absentRows] = await batch(db, [
    alertId,
    selectRunning(accountId, alertId),
    ...selectOnCall(accountId, schedulesOfWorkflows(accountId, alertId), now),
    selectAbsent(accountId),
  ]);
  if (found.length === 0) return notFound("alert");
  const schedules = toOnCallSchedules(eventRows, absences, past);
  return nextStepsOf(running, schedules, new Set(absentRows.map(({ id }) => id)), now);
}

/**
 * The next steps of the workflows that wait for an answer.
 *
 * @param schedules those of the workflows' teams, by id
 * @param absent people in the schedules who are not notified
 */
export const nextStepsOf = (
  running: readonly RunningWorkflow[],
  schedules: ReadonlyMap<string, OnCallSchedule>,
  absent: ReadonlySet<string>,
  now: number,
): readonly NextStep[] =>
  running.flatMap((workflow) => {
    const { nextStepAt, state } = workflow;
    if (state !== "open" || nextStepAt === null) return [];
    const schedule = schedules.get(workflow.scheduleId ?? "") ?? EMPTY_SCHEDULE;
    return [stepOf({ ...workflow, nextStepAt }, schedule, absent, now)];
  });

function stepOf(
  workflow: RunningWorkflow & { readonly nextStepAt: number },
  schedule: OnCallSchedule,
  absent: ReadonlySet<string>,
  now: number,
): NextStep {
  // An overdue step runs now.
  const at = Math.max(workflow.nextStepAt, now);
  const acknowledgedBy = workflow.acknowledgedBy ?? undefined;
  const next = predictNextStep({ ...workflow, acknowledgedBy, schedule, absent, at });
  const idsOf = (type: "team" | "account_user") =>
    workflow.reassign.filter((it) => it.type === type).map(({ id }) => id);
  return {
    workflow_id: workflow.id,
    destination_type: workflow.destinationType,
    destination_id: workflow.destinationId,
    layer: workflow.layer,
    pass: workflow.pass,
    account_user_ids: [...workflow.accountUserIds],
    at: formatInstant(workflow.nextStepAt),
    next: next && {
      layer: next.layer,
      pass: next.pass,
      account_user_ids: [...next.accountUserIds],
    },
    reassign_team_ids: idsOf("team"),
    reassign_account_user_ids: idsOf("account_user"),
  };
}
