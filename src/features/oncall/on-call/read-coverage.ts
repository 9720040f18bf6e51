import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import { reportedCoverage } from "../../../domain/oncall/coverage.ts";
import type { Window } from "../../../domain/oncall/window.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectHeldSchedule, selectLayersOfTeams, selectPastShifts } from "../schedules/rows.ts";
import type { Coverage } from "./contract.ts";
import { selectOnCall, toOnCallSchedules } from "./oncall-rows.ts";
import { showLayers, showStretch } from "./show-on-call.ts";

/**
 * Reads how well a schedule covers a window: the covered and uncovered hours of each layer, and the
 * hours of each person (contract 2, Schedules). Reports the layers of the schedule's events and of
 * the policies of its teams, covered or not.
 *
 * @returns the coverage; 404
 */
export async function readCoverage(
  { db, actor }: Context,
  identifier: Identifier,
  { from, to }: Window,
): Promise<Coverage | Refusal> {
  const { accountId } = actor;
  const schedule = selectHeldSchedule("schedule", accountId, identifier);
  const [[held], rows, absences, before, policyLayers, [past]] = await batch(db, [
    schedule,
    ...selectOnCall(accountId, schedule.getSQL(), from),
    selectLayersOfTeams(accountId, schedule.getSQL()),
    selectPastShifts(accountId, schedule.getSQL(), from),
  ]);
  const scheduleId = held?.scheduleId;
  if (!scheduleId) return notFound("schedule");
  const onCall = toOnCallSchedules(rows, absences, before).get(scheduleId) ?? EMPTY_SCHEDULE;
  const reportedLayers = [...policyLayers, ...onCall.events].map(({ layer }) => layer);
  const coverage = reportedCoverage(onCall, [from, to], reportedLayers, past?.since ?? null);
  return {
    schedule_id: scheduleId,
    ...showStretch({ startAt: from, endAt: to }),
    layers: showLayers(coverage),
    people: coverage.people.map(({ attendeeId, onCallMs }) => ({
      account_user_id: attendeeId,
      hours: onCallMs / HOUR,
    })),
  };
}
