// What a shift is beside the turns of a series: an override, a cover, or imported. Calendar and lists
// say it in the same words and mark it in the same way.
import type { Event } from "../../contract/oncall/events/event.ts";
import type { OnCallEntry } from "../../contract/oncall/on-call.ts";
import type { Names } from "../shared/names.ts";

export const SHIFT_KINDS = [
  { kind: "override", label: "Override" },
  { kind: "cover", label: "Cover of somebody absent" },
  { kind: "imported", label: "Imported from a calendar" },
] as const;

type ShiftKind = (typeof SHIFT_KINDS)[number]["kind"];
type Absent = Pick<OnCallEntry, "absent">;

/** The kind of a shift by its event; null: a turn, or a shift of its own. */
export function shiftKindOf({ absent }: Absent, event: Event | undefined): ShiftKind | null {
  if (absent.length > 0) return "cover";
  if (event?.parent_id) return "override";
  return event?.import_id ? "imported" : null;
}

/** `covers Ana`; null: nobody. */
export const coversText = ({ absent }: Absent, names: Names): string | null =>
  absent.length === 0
    ? null
    : `covers ${absent.map(({ account_user_id: id }) => names.of(id)).join(", ")}`;
