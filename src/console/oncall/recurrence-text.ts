// Describes an on-call event's recurrence in words.
import { counted } from "../../domain/shared/counted.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import { hoursText } from "./rotation/hours.ts";
import { WEEKDAYS } from "./weekdays.ts";

const UNITS: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
  yearly: "year",
};

/** `every 2 weeks on Mon, Tue, rotation, Mon 09:00 – Fri 17:00`. */
export function ruleOf(event: Event): string {
  if (!event.repeat) return "once";
  const unit = UNITS[event.frequency_unit ?? ""] ?? "time";
  const often =
    event.frequency === 1 ? `every ${unit}` : `every ${counted(event.frequency ?? 1, unit)}`;
  const days = event.days_of_week.map((day) => WEEKDAYS[day]).join(", ");
  return [
    days === "" ? often : `${often} on ${days}`,
    ...(event.account_user_ids.length > 1 ? [event.rotation ? "rotation" : "all together"] : []),
    ...[hoursText(event.restrictions)].filter((it) => it !== null),
    ...(event.repeat_end_datetime ? [`until ${event.repeat_end_datetime.slice(0, 10)}`] : []),
    ...(event.terminated_at ? [`ended before ${event.terminated_at.slice(0, 10)}`] : []),
  ].join(", ");
}
