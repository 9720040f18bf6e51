// Imported shifts are read-only: the next reading would undo a change. They can be overridden.
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";

const IMPORTED = refuse(
  "conflict",
  "the shift belongs to a calendar import and is read-only; change it in the calendar, or override it",
);

/** The refusal of a change of an event; null if no import owns it. */
export const refuseImported = ({
  importId,
}: {
  readonly importId: string | null;
}): Refusal | null => (importId === null ? null : IMPORTED);
