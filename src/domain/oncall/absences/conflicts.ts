/**
 * Shifts of people who are away then.
 */
import type { OnCallEntry } from "../oncall.ts";

/** [startAt, endAt) in epoch ms. */
export type Away = {
  readonly id: string;
  readonly accountUserId: string;
  readonly startAt: number;
  readonly endAt: number;
};

export type Conflict = {
  readonly accountUserId: string;
  /** The shift that the absence overlaps. */
  readonly shift: OnCallEntry;
  readonly absenceId: string;
  /** The hours that they have in common. */
  readonly startAt: number;
  readonly endAt: number;
};

/**
 * Every overlap of a shift and an absence of one of its people within [from, to) (epoch ms), by
 * start.
 */
export function conflictsOf(
  shifts: readonly OnCallEntry[],
  away: readonly Away[],
  from: number,
  to: number,
): Conflict[] {
  const byPerson = Map.groupBy(away, ({ accountUserId }) => accountUserId);
  const conflicts = shifts.flatMap((shift) =>
    [...new Set(shift.attendees.map(({ attendeeId }) => attendeeId))].flatMap((accountUserId) =>
      (byPerson.get(accountUserId) ?? []).flatMap((it): Conflict[] => {
        const startAt = Math.max(shift.startAt, it.startAt, from);
        const endAt = Math.min(shift.endAt, it.endAt, to);
        if (endAt <= startAt) return [];
        return [{ accountUserId, shift, absenceId: it.id, startAt, endAt }];
      }),
    ),
  );
  return conflicts.sort(
    (one, other) =>
      one.startAt - other.startAt ||
      one.shift.layer - other.shift.layer ||
      (one.absenceId < other.absenceId ? -1 : 1),
  );
}
