// Describes an on-call event's recurrence in words.
import type { Event } from "../../contract/oncall/event.ts";

export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

const UNITS: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
  yearly: "year",
};

/** `every 2 weeks on Mon, Tue, rotation`. */
export function ruleOf(duty: Event): string {
  if (!duty.repeat) return "once";
  const unit = UNITS[duty.frequency_unit ?? ""] ?? "time";
  const often = duty.frequency === 1 ? `every ${unit}` : `every ${duty.frequency ?? 1} ${unit}s`;
  const days = duty.days_of_week.map((day) => WEEKDAYS[day]).join(", ");
  return [
    days === "" ? often : `${often} on ${days}`,
    ...(duty.account_user_ids.length > 1 ? [duty.rotation ? "rotation" : "all together"] : []),
    ...(duty.repeat_end_datetime ? [`until ${duty.repeat_end_datetime.slice(0, 10)}`] : []),
    ...(duty.terminated_at ? [`ended before ${duty.terminated_at.slice(0, 10)}`] : []),
  ].join(", ");
}
