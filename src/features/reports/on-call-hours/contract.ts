// Hours on call by rate class (contract 2, Hours on call).
import * as z from "zod";
import {
  flag,
  identifier,
  instant,
  integer,
  listOf,
  nested,
  number,
  text,
} from "../../../kernel/contract/fields.ts";
import { Holiday } from "../../oncall/holidays/contract.ts";

export const RatedMinutes = z.object({
  weekday: number("The minutes that are in no other class.", 2_400),
  night: number("The minutes in the night hours of other days.", 1_440),
  weekend: number("The minutes on weekend days that are no holidays.", 960),
  holiday: number("The minutes on holidays.", 480),
  total: number("The sum of the four.", 5_280),
});
export type RatedMinutes = z.output<typeof RatedMinutes>;

export const LayerHours = z.object({
  schedule_id: identifier("schedule", "The schedule."),
  layer: integer("The escalation layer, from 1.", 1),
  minutes: nested(RatedMinutes, "The minutes on call on this layer, simultaneous shifts once."),
});
export type LayerHours = z.output<typeof LayerHours>;

export const PersonHours = z.object({
  account_user_id: identifier("account_user", "The person's membership in the account."),
  name: text("The person's name; null for a former member.", "Ada Keeper").nullable(),
  minutes: nested(
    RatedMinutes,
    "The minutes on call. Simultaneous shifts on several layers or schedules count once, so that this can be less than the sum of `by_layer`.",
  ),
  by_layer: listOf(LayerHours, "The same for each schedule and layer."),
});
export type PersonHours = z.output<typeof PersonHours>;

export const OnCallHours = z.object({
  start_time: instant("The start.", "2026-01-01T00:00:00.000Z"),
  end_time: instant("The end.", "2026-02-01T00:00:00.000Z"),
  time_zone: text("The time zone of days and night hours.", "Europe/London"),
  night_start: text("The beginning of the night hours.", "22:00"),
  night_end: text("The end of the night hours.", "06:00"),
  weekend_days: listOf(z.int(), "The weekend days. Sunday is 0.", [0, 6]),
  holiday_region: text("The region whose public holidays count.", "GB-ENG").nullable(),
  company_holidays: flag("Whether the company holidays count.", true),
  holidays: listOf(Holiday, "The holidays that count in the window."),
  by_person: listOf(PersonHours, "The people who were on call."),
});
export type OnCallHours = z.output<typeof OnCallHours>;
