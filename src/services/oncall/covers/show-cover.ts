// A cover as answers show it: with the hours that are covered and those that are not.
import type {
  Cover as CoverRecord,
  CoverWithShifts,
} from "../../../contract/oncall/covers/cover.ts";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import {
  coveredHours,
  type OnCallSchedules,
  type ServedHours,
  servedHours,
} from "../../../domain/oncall/absences/absent-hours.ts";
import type { Cover } from "../../../domain/oncall/absences/cover.ts";
import {
  type CoverWarning,
  coverWarnings,
} from "../../../domain/oncall/absences/cover-warnings.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";

export type DecidedCover = {
  readonly cover: Cover;
  /** All absences of the account, with the cover. */
  readonly absences: readonly Absence[];
  /** The schedules of the person, with those absences. */
  readonly schedules: OnCallSchedules;
  /** Epoch ms. */
  readonly now: number;
};

/** The most hours that are shown of a cover. */
const MOST_SHOWN = 1000;

export function showCover(record: CoverRecord, decided: DecidedCover): CoverWithShifts {
  const { covered, uncovered } = hoursOf(decided);
  return {
    ...record,
    shifts: covered.slice(0, MOST_SHOWN).map((it) => ({
      ...showHours(it),
      account_user_ids: [...it.people],
    })),
    uncovered: uncovered.slice(0, MOST_SHOWN).map(showHours),
    warnings: warningsOf(decided),
  };
}

/** The hours of a cover: covered ones, also of the past, and those to come that are not. */
function hoursOf({ cover, schedules, now }: DecidedCover) {
  const coming = { ...cover, startAt: Math.max(cover.startAt, now) };
  return {
    covered: coveredHours(cover, schedules),
    uncovered: servedHours(coming, schedules),
  };
}

const showHours = ({ eventId, layer, startAt, endAt, scheduleIds }: ServedHours) => ({
  event_id: eventId,
  layer,
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
  schedule_ids: [...scheduleIds],
});

/** What somebody should look at in a cover. */
export function warningsOf(decided: DecidedCover): CoverWithShifts["warnings"] {
  const { cover, absences, schedules } = decided;
  const events = [...schedules.values()].flatMap((it) => it.events);
  const byHand = new Set(
    events
      .filter(({ parentId, createdAt }) => parentId !== null && createdAt >= cover.decidedAt)
      .map(({ id }) => id),
  );
  const warnings = coverWarnings(cover, absences, hoursOf(decided), (id) => byHand.has(id));
  return warnings.map((warning) => ({ reason: warning.reason, message: messageOf(warning) }));
}

function messageOf(warning: CoverWarning): string {
  switch (warning.reason) {
    case "substitute_absent": {
      const { id, instead } = warning.absence;
      const kind = instead === "default" ? "unavailability" : "cover";
      return `the covering person is absent in this time too, by ${prefixIdOf(kind, id)}`;
    }
    case "substitute_left":
      return "the covering person has left the account; the absent person stays on call";
    case "nobody_found":
      return `nobody was found for ${warning.count} of the shifts; the absent person stays on call`;
    case "no_shifts":
      return "the person has no shifts in this time";
  }
}
