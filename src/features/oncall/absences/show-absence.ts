// An absence as answers show it: with the hours in which others are on call and those left.
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import {
  type AbsenceWarning,
  absenceWarnings,
} from "../../../domain/oncall/absences/absence-warnings.ts";
import {
  coveredHours,
  type OnCallSchedules,
  type ServedHours,
  servedHours,
} from "../../../domain/oncall/absences/absent-hours.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Absence as AbsenceAnswer, AbsenceWithShifts } from "./contract.ts";

export type DecidedAbsence = {
  readonly record: AbsenceRecord;
  /** All absences of the account as they are served, with this one. */
  readonly absences: readonly Absence[];
  /** The schedules of the person, with those absences. */
  readonly schedules: OnCallSchedules;
  /** Epoch ms. */
  readonly now: number;
};

/** The most hours that are shown of an absence. */
const MOST_SHOWN = 1000;

export function showAbsence(answer: AbsenceAnswer, decided: DecidedAbsence): AbsenceWithShifts {
  const { covered, uncovered } = hoursOf(decided);
  return {
    ...answer,
    shifts: covered.slice(0, MOST_SHOWN).map((it) => ({
      ...showHours(it),
      account_user_ids: [...it.people],
    })),
    uncovered: uncovered.slice(0, MOST_SHOWN).map(showHours),
    warnings: warningsOf(decided),
  };
}

/** The hours of an absence: covered ones, also of the past, and those to come that are not. */
function hoursOf({ record, schedules, now }: DecidedAbsence) {
  const coming = { ...record, startAt: Math.max(record.startAt, now) };
  const isAway = record.asking?.status !== "cancelled";
  return {
    covered: coveredHours(record, schedules),
    uncovered: isAway ? servedHours(coming, schedules) : [],
  };
}

const showHours = ({ eventId, layer, startAt, endAt, scheduleIds }: ServedHours) => ({
  event_id: eventId,
  layer,
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
  schedule_ids: [...scheduleIds],
});

/** What somebody should look at in an absence. */
export function warningsOf(decided: DecidedAbsence): AbsenceWithShifts["warnings"] {
  const { record, absences, schedules, now } = decided;
  const events = [...schedules.values()].flatMap((it) => it.events);
  const byHand = new Set(
    events
      .filter(({ parentId, createdAt }) => parentId !== null && createdAt >= record.decidedAt)
      .map(({ id }) => id),
  );
  const warnings = absenceWarnings(record, absences, hoursOf(decided), (id) => byHand.has(id), now);
  return warnings.map((warning) => ({ reason: warning.reason, message: messageOf(warning) }));
}

function messageOf(warning: AbsenceWarning): string {
  switch (warning.reason) {
    case "nobody_yet":
      return `nobody takes ${warning.count} of the shifts yet; the absent person stays on call`;
    case "substitute_absent":
      return `the covering person is absent in this time too, by ${prefixIdOf("absence", warning.absence.id)}`;
    case "substitute_left":
      return "the covering person has left the account; the absent person stays on call";
    case "nobody_found":
      return `nobody was found for ${warning.count} of the shifts; the absent person stays on call`;
    case "no_shifts":
      return "the person has no shifts in this time";
  }
}
