// What an event is called: a rotation, a repeating or a single shift; and what a shift is beside the
// turns of a series: an override, instead of somebody who is away, or imported. All pages say it in the same words.
import { capitalized } from "../../domain/shared/words.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import type { Names } from "../reads.ts";

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
