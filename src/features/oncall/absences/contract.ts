// An absence: when a person is away, and who is on call instead.
import * as z from "zod";
import {
  ABSENCE_SOURCES,
  ABSENCE_STATUSES,
  INSTEAD,
} from "../../../domain/oncall/absences/absence-record.ts";
import { ABSENCE_WARNINGS } from "../../../domain/oncall/absences/absence-warnings.ts";
import { ANSWER_CHANNELS, ANSWERS } from "../../../domain/oncall/absences/asking.ts";
import {
  choice,
  common,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

const START = "2036-07-28T00:00:00.000Z";
const END = "2036-08-11T00:00:00.000Z";
const START_TIME = instant("The start. In records the same as `start_datetime`.", START);
const END_TIME = instant("The end. In records the same as `end_datetime`.", END);
const REASON = text(
  "Why the person is away. Null for others than the person, admins and the people who are asked.",
  "Holiday",
).nullable();

export const HoursInReturn = z
  .object({
    start_datetime: instant("The start of the hours.", "2036-08-18T09:00:00.000Z"),
    end_datetime: instant("The end of the hours (exclusive).", "2036-08-19T09:00:00.000Z"),
  })
  .nullable();
export type HoursInReturn = z.output<typeof HoursInReturn>;

export const AskedPerson = z.object({
  account_user_id: identifier("account_user", "The person."),
  answer: choice(ANSWERS, "What they have answered.", "pending"),
  answered_at: instant("When they answered.", null).nullable(),
  channel: choice(
    ANSWER_CHANNELS,
    "How they answered. Null also for people who have left the account: they count as declined.",
    null,
  ).nullable(),
});
export type AskedPerson = z.output<typeof AskedPerson>;

export const Absence = z.object({
  ...common("absence"),
  account_user_id: identifier("account_user", "The person who is away."),
  start_datetime: instant("The start.", START),
  end_datetime: instant("The end (exclusive).", END),
  start_time: START_TIME,
  end_time: END_TIME,
  schedule_ids: identifiers(
    "schedule",
    "The person is away from these schedules only; empty: from all.",
    [],
  ),
  reason: REASON,
  instead: choice(
    INSTEAD,
    "Who is on call instead: nobody yet (the person stays on call, except in rotations that give their hours to the next in line), the next in line of each rotation, `covering_account_user_id`, nobody (`empty`), or the first of the people who are asked who accepts.",
    "person",
  ),
  covering_account_user_id: identifier(
    "account_user",
    "Who is on call instead: with `instead: person`, and with `ask` once somebody has accepted. Null once they have left the account.",
  ).nullable(),
  status: choice(
    ABSENCE_STATUSES,
    "`uncovered`: nobody is on call instead yet. `asking`, `declined` by everybody, `expired` and `cancelled`: of an `ask` that nobody has accepted. With `cancelled` the person is not away.",
    "covered",
  ),
  asked: listOf(AskedPerson, "With `ask`: the people who are asked, and their answers.", []),
  account_user_ids: identifiers("account_user", "The people who are asked.", []),
  in_return: nested(
    HoursInReturn,
    "With `ask`: the hours that the person takes over from whoever accepts; null: nothing in return.",
  ),
  expires_at: instant(
    "With `ask`: from then on nobody can accept. At the latest when the absence, or the hours in return, begin.",
    null,
  ).nullable(),
  ended_at: instant(
    "With `ask`: when it was accepted, declined by all, cancelled or expired.",
    null,
  ).nullable(),
  source: choice(ABSENCE_SOURCES, "Who entered it. That of a calendar is read-only.", "person"),
  absence_calendar_id: text("The absence calendar that it was read from.", null).nullable(),
  return_of: text(
    "The absence whose acceptance made this one: it has the hours in return.",
    null,
  ).nullable(),
});
export type Absence = z.output<typeof Absence>;

const hours = {
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant("The start of the hours.", "2036-07-28T09:00:00.000Z"),
  end_time: instant("The end of the hours.", "2036-08-04T09:00:00.000Z"),
  schedule_ids: identifiers("schedule", "The schedules of the event."),
};

export const AbsenceShift = z.object({
  event_id: identifier("event", "The event whose hours they are."),
  ...hours,
  account_user_ids: identifiers("account_user", "Who is on call in these hours; empty: nobody."),
});
export type AbsenceShift = z.output<typeof AbsenceShift>;

export const UncoveredHours = z.object({
  event_id: identifier("event", "The event that the absent person serves."),
  ...hours,
});
export type UncoveredHours = z.output<typeof UncoveredHours>;

export const AbsenceWarning = z.object({
  reason: choice(ABSENCE_WARNINGS, "What to look at.", "substitute_absent"),
  message: text("The same in words.", "the covering person is absent too, by abs_AZ4mbXqqAAAAAw"),
});
export type AbsenceWarning = z.output<typeof AbsenceWarning>;

export const AbsenceWithShifts = Absence.extend({
  shifts: listOf(
    AbsenceShift,
    "The hours in which others are on call instead, or nobody; past ones too, by start.",
  ),
  uncovered: listOf(
    UncoveredHours,
    "Hours of the absence, from now on, in which the absent person is still on call.",
    [],
  ),
  warnings: listOf(AbsenceWarning, "What somebody should look at.", []),
});
export type AbsenceWithShifts = z.output<typeof AbsenceWithShifts>;

export const ShiftConflict = z.object({
  account_user_id: identifier("account_user", "The person who is away."),
  absence_id: identifier("absence", "The absence."),
  reason: REASON,
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
  conflicts: listOf(
    ShiftConflict,
    "The shifts of people who are away and still on call, by start.",
  ),
});
export type ScheduleConflicts = z.output<typeof ScheduleConflicts>;
