// Who is on call, in the format of responses.
import type { AbsentPerson } from "../../../domain/oncall/absences/serve-absences.ts";
import type { CoverageInterval, ReportedCoverage } from "../../../domain/oncall/coverage.ts";
import type { OnCallAttendee } from "../../../domain/oncall/on-call-event.ts";
import type { OnCallEntry } from "../../../domain/oncall/oncall.ts";
import { formatInstant } from "../../../domain/shared/time.ts";

/** An attendee in the format of events and on-call entries. */
export function showAttendee({ id, attendeeId, attendeeType, position }: OnCallAttendee) {
  return { id, attendee_id: attendeeId, attendee_type: attendeeType, position };
}

/** Somebody who would be on call but for an absence. */
export const showAbsent = ({ accountUserId, absenceId }: AbsentPerson) => ({
  account_user_id: accountUserId,
  absence_id: absenceId,
});

/** An on-call entry of a schedule. */
export function showEntry(
  { layer, startAt, endAt, eventId, attendees, absent = [] }: OnCallEntry,
  scheduleId: string,
) {
  return {
    layer,
    start_time: formatInstant(startAt),
    end_time: formatInstant(endAt),
    event_id: eventId,
    schedule_id: scheduleId,
    attendees: attendees.map(showAttendee),
    absent: absent.map(showAbsent),
  };
}

export const showStretch = ({ startAt, endAt }: CoverageInterval) => ({
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
});

/** The coverage of each layer. */
export const showLayers = ({ layers }: ReportedCoverage) =>
  layers.map(({ layer, share, hasShifts, gaps, overlaps }) => ({
    layer,
    share,
    has_shifts: hasShifts,
    gaps: gaps.map(showStretch),
    overlaps: overlaps.map((it) => ({ ...showStretch(it), event_ids: it.eventIds })),
  }));
