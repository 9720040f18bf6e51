// What an event is called: a rotation, a repeating or a single shift; and what a shift is beside the
// turns of a series: an override, instead of somebody who is away, or imported; and how it repeats.
// All pages say it in the same words.
import { counted } from "../../domain/shared/counted.ts";
import { capitalized } from "../../domain/shared/words.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import type { Names } from "../reads.ts";
import { hoursText } from "./rotation/hours.ts";
import { WEEKDAYS } from "./weekdays.ts";

/** What all pages about an event call it. */
export function nounOf({ repeat, rotation }: Pick<Event, "repeat" | "rotation">) {
  if (!repeat) return "shift";
  return rotation ? "rotation" : "repeating shift";
}

/** `Rotation` */
export const titleOf = (event: Pick<Event, "repeat" | "rotation">): string =>
  capitalized(nounOf(event));

export const SHIFT_KINDS = [
  { kind: "override", label: "Override" },
  { kind: "instead", label: "Instead of somebody who is away" },
  { kind: "imported", label: "Imported from a calendar" },
] as const;

type ShiftKind = (typeof SHIFT_KINDS)[number]["kind"];
type Absent = Pick<OnCallEntry, "absent">;

/** The kind of a shift by its event; null: a turn, or a shift of its own. */
export function shiftKindOf({ absent }: Absent, event: Event | undefined): ShiftKind | null {
  if (absent.length > 0) return "instead";
  if (event?.parent_id) return "override";
  return event?.import_id ? "imported" : null;
}

/** `instead of Ana, away`; null: of nobody. */
export const insteadText = ({ absent }: Absent, names: Names): string | null =>
  absent.length === 0
    ? null
    : `instead of ${absent.map(({ account_user_id: id }) => names.of(id)).join(" and ")}, away`;

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
