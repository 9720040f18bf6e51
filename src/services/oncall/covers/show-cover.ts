// A cover as answers show it: with the hours that are covered and those that are not.
import type {
  Cover as CoverRecord,
  CoverWithShifts,
} from "../../../contract/oncall/covers/cover.ts";
import type { selectCoverShifts } from "../../../db/oncall/covers/cover-records.ts";
import type { RowsOf } from "../../../db/shared/select.ts";
import type { Cover } from "../../../domain/oncall/covers/cover.ts";
import {
  absentSegments,
  type CoverParts,
  type PlacedEvents,
} from "../../../domain/oncall/covers/cover-parts.ts";
import { type CoverWarning, coverWarnings } from "../../../domain/oncall/covers/cover-warnings.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";

type ShiftRows = RowsOf<readonly [ReturnType<typeof selectCoverShifts>]>[0];

export type DecidedCover = {
  readonly cover: Cover;
  /** All covers of the account. */
  readonly covers: readonly Cover[];
  readonly decided: CoverParts;
  /** The events as they are stored. */
  readonly placed: PlacedEvents;
  /** Epoch ms. */
  readonly now: number;
};

export function showCover(
  record: CoverRecord,
  shifts: ShiftRows,
  { cover, covers, decided, placed, now }: DecidedCover,
): CoverWithShifts {
  const uncovered = absentSegments(cover, placed, now).toSorted(
    (one, other) => one.startAt - other.startAt,
  );
  return {
    ...record,
    shifts: shifts.map((it) => ({
      event_id: it.id,
      parent_id: it.parentId ?? it.id,
      layer: it.layer,
      start_time: formatInstant(it.startAt),
      end_time: formatInstant(it.endAt),
      schedule_ids: it.scheduleIds,
      account_user_ids: it.attendees.map(({ attendeeId }) => attendeeId),
    })),
    uncovered: uncovered.map(({ event, startAt, endAt }) => ({
      event_id: event.id,
      layer: event.layer,
      start_time: formatInstant(startAt),
      end_time: formatInstant(endAt),
      schedule_ids: placed.schedulesOf.get(event.id) ?? [],
    })),
    warnings: showWarnings(coverWarnings(cover, covers, decided)),
  };
}

export const showWarnings = (warnings: readonly CoverWarning[]): CoverWithShifts["warnings"] =>
  warnings.map((warning) => ({ reason: warning.reason, message: messageOf(warning) }));

function messageOf(warning: CoverWarning): string {
  switch (warning.reason) {
    case "substitute_absent":
      return `the covering person is absent in this time too, by ${prefixIdOf("cover", warning.coverId)}`;
    case "substitute_left":
      return "the covering person has left the account; the absent person stays on call";
    case "nobody_found":
      return `nobody was found for ${warning.count} of the shifts; the absent person stays on call`;
    case "no_shifts":
      return "the person has no shifts in this time";
  }
}
