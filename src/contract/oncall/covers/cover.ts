// A cover: who is on call instead of an absent person.
import * as z from "zod";
import { COVERED_BY } from "../../../domain/oncall/absences/cover.ts";
import { COVER_WARNINGS } from "../../../domain/oncall/absences/cover-warnings.ts";
import {
  choice,
  common,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  text,
} from "../../shared/fields.ts";

export const Cover = z.object({
  ...common("cover"),
  account_user_id: identifier("account_user", "The person who is absent."),
  start_datetime: instant("The start of the absence.", "2036-07-28T00:00:00.000Z"),
  end_datetime: instant("The end of the absence (exclusive).", "2036-08-11T00:00:00.000Z"),
  covered_by: choice(
    COVERED_BY,
    "Who is on call instead: `covering_account_user_id`, the next person of each rotation, or nobody.",
    "person",
  ),
  covering_account_user_id: identifier(
    "account_user",
    "Who is on call instead, with `covered_by: person`; null once they have left the account.",
  ).nullable(),
  schedule_ids: identifiers(
    "schedule",
    "Only the person's shifts in these schedules are covered; empty: in all schedules.",
    [],
  ),
  reason: text("Why the person is absent.", "Holiday").nullable(),
});
export type Cover = z.output<typeof Cover>;

const hours = {
  layer: integer("The escalation layer.", 1),
  start_time: instant("The start of the hours.", "2036-07-28T09:00:00.000Z"),
  end_time: instant("The end of the hours.", "2036-08-04T09:00:00.000Z"),
  schedule_ids: identifiers("schedule", "The schedules of the event."),
};

export const CoverShift = z.object({
  event_id: identifier("event", "The event whose hours they are."),
  ...hours,
  account_user_ids: identifiers("account_user", "Who is on call in these hours; empty: nobody."),
});
export type CoverShift = z.output<typeof CoverShift>;

export const UncoveredHours = z.object({
  event_id: identifier("event", "The event that the absent person serves."),
  ...hours,
});
export type UncoveredHours = z.output<typeof UncoveredHours>;

export const CoverWarning = z.object({
  reason: choice(COVER_WARNINGS, "What to look at.", "substitute_absent"),
  message: text("The same in words.", "the covering person is absent too, by cov_AZ4mbXqqAAAAAw"),
});
export type CoverWarning = z.output<typeof CoverWarning>;

export const CoverWithShifts = Cover.extend({
  shifts: listOf(CoverShift, "The hours that are covered, past ones too, by start."),
  uncovered: listOf(
    UncoveredHours,
    "Hours of the absence, from now on, in which the absent person is still on call.",
    [],
  ),
  warnings: listOf(CoverWarning, "What somebody should look at.", []),
});
export type CoverWithShifts = z.output<typeof CoverWithShifts>;
