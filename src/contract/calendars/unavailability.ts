// A time in which a person is away, and the shifts that fall into such times.
import * as z from "zod";
import { common, flag, identifier, instant, integer, listOf, text } from "../shared/fields.ts";

const START = "2026-01-31T09:00:00.000Z";
const END = "2026-01-31T17:00:00.000Z";
const START_TIME = instant("The start. In records the same as `start_datetime`.", START);
const END_TIME = instant("The end. In records the same as `end_datetime`.", END);

export const Unavailability = z.object({
  ...common("unavailability"),
  account_user_id: identifier("account_user", "The person who is away."),
  start_datetime: instant("The start.", START),
  end_datetime: instant("The end (exclusive).", END),
  start_time: START_TIME,
  end_time: END_TIME,
  reason: text("The reason. Null for others than the person and admins.", "Holidays").nullable(),
  imported: flag("Whether it was read from an absence calendar.", false),
  absence_calendar_id: text("The absence calendar that it was read from.", null).nullable(),
});
export type Unavailability = z.output<typeof Unavailability>;

export const ShiftConflict = z.object({
  account_user_id: identifier("account_user", "The person who is away."),
  unavailability_id: identifier("unavailability", "The unavailability."),
  reason: text("The reason. Null for others than the person and admins.", "Holidays").nullable(),
  event_id: identifier("event", "The on-call event."),
  layer: integer("The escalation layer, from 1.", 1),
  shift_start_time: instant("The start of the shift.", START),
  shift_end_time: instant("The end of the shift.", END),
  start_time: START_TIME,
  end_time: END_TIME,
});
export type ShiftConflict = z.output<typeof ShiftConflict>;

export const ScheduleConflicts = z.object({
  schedule_id: identifier("schedule", "A schedule."),
  start_time: START_TIME,
  end_time: END_TIME,
  conflicts: listOf(ShiftConflict, "The shifts of people who are away, by start."),
});
export type ScheduleConflicts = z.output<typeof ScheduleConflicts>;
