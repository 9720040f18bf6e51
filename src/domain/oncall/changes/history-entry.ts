/** The words of the history: what is recorded, who made a change, and why one cannot be undone. */

import type { Actor } from "../../access/actor.ts";
import type { RecordKind } from "../../shared/identifiers.ts";

/** The kinds of record whose changes are recorded. */
export const RECORDED_KINDS = [
  "absence",
  "account_user",
  "calendar_import",
  "escalation_policy",
  "event",
  "schedule",
  "team",
] as const satisfies readonly RecordKind[];
export type RecordedKind = (typeof RECORDED_KINDS)[number];

/** The kinds of record that were absences before these were one record. */
export const FORMER_KINDS = ["cover", "cover_request", "unavailability"] as const;

/** Why their changes cannot be undone. */
export const FORMER_REASON = "it is an absence now: change or take back the absence";

const kinds: readonly RecordKind[] = RECORDED_KINDS;

export const isRecorded = (kind: RecordKind): kind is RecordedKind => kinds.includes(kind);

export const CHANGE_AUTHORS = [
  "key",
  "session",
  "link",
  "phone",
  "integration",
  "system",
] as const satisfies readonly Actor["kind"][];

/** The verb of a change by which a member took a shift onto themselves. */
export const TAKE_OVER = "take_over";

/** Why a change cannot be undone, apart from later changes that depend on it. */
export const IRREVERSIBLE_REASONS = [
  "accepted",
  "asked",
  "calendar",
  "departure",
  "no_shifts",
  "refreshed",
  "schedule_created",
  "schedule_deleted",
  "settings",
  "too_large",
] as const;
export type IrreversibleReason = (typeof IRREVERSIBLE_REASONS)[number];

/** The reasons in words. */
export const IRREVERSIBLE: Readonly<Record<IrreversibleReason, string>> = {
  accepted: "somebody has accepted: take the absence back",
  asked: "people were asked: change or cancel the absence",
  calendar: "the shifts come from a calendar: change it there, or create the import again",
  departure: "people who have left the account are not put back",
  no_shifts: "it did not change any shifts",
  refreshed: "covers follow the schedules: change or take back the cover",
  schedule_created: "delete the schedule instead",
  schedule_deleted: "a deleted schedule cannot be restored",
  settings: "it changed settings: change them back there",
  too_large: "it changed too many shifts at once",
};

/** Whether a change is undone by restoring its events. */
export const isUndoneByEvents = (
  kind: RecordedKind | (typeof FORMER_KINDS)[number],
  verb: string,
  eventIds: readonly string[],
): boolean =>
  kind === "event" || (kind === "schedule" && (verb === "flush" || eventIds.length > 0));

/** Why a new entry will not be undoable whatever happens; null: it is. */
export function irreversibleReason(kind: RecordedKind, verb: string): IrreversibleReason | null {
  switch (kind) {
    case "event":
      return null;
    case "absence":
      return verb === "accept" ? "accepted" : null;
    case "schedule":
      if (verb === "create") return "schedule_created";
      return verb === "delete" ? "schedule_deleted" : null;
    case "calendar_import":
      return verb === "create" || verb === "update" ? null : "calendar";
    case "team":
      return verb === "update" || verb === "undo" ? null : "settings";
    case "account_user":
      return verb === "delete" ? "departure" : "settings";
    default:
      return "settings";
  }
}

/** Changes that a later undo leaves in force: they follow from others, or concern a person. */
export const NEVER_BLOCKING: readonly IrreversibleReason[] = ["departure", "refreshed"];
