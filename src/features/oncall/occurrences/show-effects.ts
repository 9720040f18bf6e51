// The effects of a change of a series from one occurrence on, in the format of responses.
import type { Extension } from "../../../domain/oncall/changes/extension.ts";
import type { OnCallAttendee, OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { firstShiftOf } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { formatInstant } from "../../../domain/shared/time.ts";

import type { ExtensibleChange } from "./decide-following.ts";

/** @param change null: the request changes nothing */
export function showEffects(change: ExtensibleChange | null) {
  const { dropped = [], removed = [], after } = change ?? {};
  return {
    first_shift: after ? showFirst(after) : null,
    overrides_removed: removed,
    exceptions_continued: after?.exceptions.map(({ startAt }) => formatInstant(startAt)) ?? [],
    exceptions_dropped: dropped.map(formatInstant),
    extension: change?.extension ? showExtension(change.extension, change.extending) : null,
  };
}

function showFirst(event: OnCallEvent) {
  const first = firstShiftOf(event);
  return (
    first && {
      start_time: formatInstant(first.startAt),
      end_time: formatInstant(first.endAt),
      account_user_ids: peopleOf(first.attendees),
    }
  );
}

const showExtension = (extension: Extension, extending: readonly OnCallEvent[]) => ({
  start_time: formatInstant(extension.startAt),
  end_time: formatInstant(extension.endAt),
  account_user_ids: peopleOf(extension.attendees),
  extended: extending.length > 0,
});

const peopleOf = (attendees: readonly OnCallAttendee[]) =>
  attendees.map(({ attendeeId }) => attendeeId);
