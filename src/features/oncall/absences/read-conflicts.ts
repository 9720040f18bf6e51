import type { MemberActor } from "../../../domain/access/actor.ts";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import { conflictsOf } from "../../../domain/oncall/absences/conflicts.ts";
import { onCallBetween } from "../../../domain/oncall/oncall.ts";
import type { Window } from "../../../domain/oncall/window.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { selectHeldSchedule } from "../schedules/rows.ts";
import { selectAway } from "./conflict-rows.ts";
import type { ScheduleConflicts } from "./contract.ts";

/**
 * Reads the shifts of a schedule in a window whose people are away then (contract 2,
 * Absences); or 404.
 */
export async function readConflicts(
  { db, actor }: Context<MemberActor>,
  identifier: Identifier,
  { from, to }: Window,
): Promise<ScheduleConflicts | Refusal> {
  const { accountId } = actor;
  const schedule = selectHeldSchedule("schedule", accountId, identifier);
  const [[held], rows, absences, past, away] = await batch(db, [
    schedule,
    ...selectOnCall(accountId, schedule.getSQL(), from),
    selectAway(actor, schedule.getSQL(), from, to),
  ]);
  const scheduleId = held?.scheduleId;
  if (!scheduleId) return notFound("schedule");
  const onCall = toOnCallSchedules(rows, absences, past).get(scheduleId) ?? EMPTY_SCHEDULE;
  const shifts = away.length === 0 ? [] : onCallBetween(onCall, from, to);
  const reasons = new Map(away.map(({ id, reason }) => [id, reason]));
  return {
    schedule_id: scheduleId,
    start_time: formatInstant(from),
    end_time: formatInstant(to),
    conflicts: conflictsOf(shifts, away, from, to).map(
      ({ accountUserId, absenceId, shift, startAt, endAt }) => ({
        account_user_id: accountUserId,
        absence_id: absenceId,
        reason: reasons.get(absenceId) ?? null,
        event_id: shift.eventId,
        layer: shift.layer,
        shift_start_time: formatInstant(shift.startAt),
        shift_end_time: formatInstant(shift.endAt),
        start_time: formatInstant(startAt),
        end_time: formatInstant(endAt),
      }),
    ),
  };
}
