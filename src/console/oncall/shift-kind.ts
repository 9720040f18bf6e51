// What a shift is beside the turns of a series: an override, a cover, or imported. Calendar and lists
// say it in the same words and mark it in the same way.
import type { Event } from "../../contract/oncall/events/event.ts";
import type { Names } from "../shared/names.ts";

export const SHIFT_KINDS = [
  { kind: "override", label: "Override" },
  { kind: "cover", label: "Cover of somebody absent" },
  { kind: "imported", label: "Imported from a calendar" },
] as const;

type ShiftKind = (typeof SHIFT_KINDS)[number]["kind"];

/** The kind of a shift by its event; null: a turn, or a shift of its own. */
export function shiftKindOf(event: Event | undefined): ShiftKind | null {
  if (!event) return null;
  if (event.cover_id || event.absent_account_user_id) return "cover";
  if (event.parent_id) return "override";
  return event.import_id ? "imported" : null;
}

/** `covers Ana`, or `covers Ana, who is away` if the rotation skips her; null: nobody. */
export function coversText(event: Event | undefined, names: Names): string | null {
  const absent = event?.absent_account_user_id;
  if (!absent) return event?.cover_id ? "cover" : null;
  return event.cover_id ? `covers ${names.of(absent)}` : `covers ${names.of(absent)}, who is away`;
}
