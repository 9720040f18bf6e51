// How a person is notified of their own shifts: fields of a user, and of an account user's person.
// Null for a pending membership.
import * as z from "zod";
import { REMINDER_CHANNELS } from "../../../domain/oncall/notices/reminders.ts";
import { WEEKDAYS } from "../../../domain/oncall/notices/weekly.ts";
import { choice, flag, integer, listOf, text } from "../../../kernel/contract/fields.ts";

const ShiftReminder = z.object({
  minutes_before: integer("How long before a shift begins, in minutes: 0 to 10,080, a week.", 60),
  channel: choice(
    REMINDER_CHANNELS,
    "The channel; null: the channels on which the person is usually notified.",
    "sms",
  ).nullable(),
});

export const shiftSettings = {
  shift_notices: flag(
    "Whether the person is notified when a change that somebody else made puts them on a shift of the next 28 days, or takes them off one.",
    true,
  ).nullable(),
  shift_reminders: listOf(
    ShiftReminder,
    "The reminders that the person gets before each of their shifts begins, at most five. A change replaces the whole list.",
  ).nullable(),
  shift_digest_day: choice(
    WEEKDAYS,
    "The day on which the person gets a list of their shifts of the coming week, by e-mail and push; null: never.",
    "monday",
  ).nullable(),
  shift_digest_time_of_day: text(
    "The time of the weekly list, `HH:mm` in `time_zone`.",
    "08:00",
  ).nullable(),
};
