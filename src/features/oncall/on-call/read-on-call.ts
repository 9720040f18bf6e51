// Who is on call now or in a window (contract 4, Who is on call). The same calculation as alerts use,
// in one round trip.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import {
  type OnCallEntry as Entry,
  onCallAt,
  onCallBetween,
} from "../../../domain/oncall/oncall.ts";
import type { Window } from "../../../domain/oncall/window.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectPersonId } from "../feeds/rows.ts";
import { schedulesOfPerson } from "../schedules/person-schedules.ts";
import { type ScheduleHolder, selectHeldSchedule } from "../schedules/rows.ts";
import type { OnCallEntry } from "./contract.ts";
import { selectOnCall, toOnCallSchedules } from "./oncall-rows.ts";
import { showEntry } from "./show-on-call.ts";

/** Reads who is on call now on a schedule, or for a team; or 404. Nobody for a team without one. */
export function readCurrentOnCall(
  context: Context,
  holder: ScheduleHolder,
  identifier: Identifier,
): Promise<readonly OnCallEntry[] | Refusal> {
  const { now } = context;
  return readEntries(context, holder, identifier, now, (schedule) => onCallAt(schedule, now));
}

/** Reads who is on call on a schedule in a window; or 404. */
export function readWindowEvents(
  context: Context,
  identifier: Identifier,
  { from, to }: Window,
): Promise<readonly OnCallEntry[] | Refusal> {
  return readEntries(context, "schedule", identifier, from, (schedule) =>
    onCallBetween(schedule, from, to),
  );
}

/** Reads when a person is on call in a window, on all schedules, by start, then layer; or 404. */
export async function readPersonWindow(
  { db, actor }: Context,
  identifier: Identifier,
  { from, to }: Window,
): Promise<readonly OnCallEntry[] | Refusal> {
  const { accountId } = actor;
  const person = selectPersonId(accountId, identifier);
  const theirs = schedulesOfPerson(accountId, sql`(${person})`, from);
  const [[found], rows, absences, past] = await batch(db, [
    person,
    ...selectOnCall(accountId, theirs, from),
  ]);
  if (!found) return notFound("account_user");
  return [...toOnCallSchedules(rows, absences, past)]
    .flatMap(([scheduleId, schedule]) =>
      onCallBetween(schedule, from, to).map((entry) => ({ entry, scheduleId })),
    )
    .filter(({ entry }) => entry.attendees.some(({ attendeeId }) => attendeeId === found.id))
    .toSorted(
      ({ entry: one }, { entry: other }) => one.startAt - other.startAt || one.layer - other.layer,
    )
    .map(({ entry, scheduleId }) => showEntry(entry, scheduleId));
}

async function readEntries(
  { db, actor }: Context,
  holder: ScheduleHolder,
  identifier: Identifier,
  from: number,
  entriesOf: (schedule: OnCallSchedule) => readonly Entry[],
): Promise<readonly OnCallEntry[] | Refusal> {
  const { accountId } = actor;
  const schedule = selectHeldSchedule(holder, accountId, identifier);
  const [[held], events, absences, past] = await batch(db, [
    schedule,
    ...selectOnCall(accountId, schedule.getSQL(), from),
  ]);
  if (!held) return notFound(holder);
  const { scheduleId } = held;
  if (scheduleId === null) return [];
  const found = toOnCallSchedules(events, absences, past).get(scheduleId);
  const entries = entriesOf(found ?? EMPTY_SCHEDULE);
  return entries.map((entry) => showEntry(entry, scheduleId));
}
