/** What somebody should look at in an absence. Pure. */

import { type Absence, inOrder } from "./absence.ts";
import { type AbsenceRecord, absenceStatusAt, isOverlapping } from "./absence-record.ts";
import type { ServedHours } from "./absent-hours.ts";

export const ABSENCE_WARNINGS = [
  "nobody_yet",
  "substitute_absent",
  "substitute_left",
  "nobody_found",
  "no_shifts",
] as const;

export type AbsenceWarning =
  /** Nobody has said who takes so many shifts. */
  | { readonly reason: "nobody_yet"; readonly count: number }
  /** Who covers is away in the same time, by another absence. */
  | { readonly reason: "substitute_absent"; readonly absence: Absence }
  | { readonly reason: "substitute_left" }
  /** Nobody was found for so many shifts. */
  | { readonly reason: "nobody_found"; readonly count: number }
  | { readonly reason: "no_shifts" };

type AbsenceHours = {
  /** The hours in which others serve, or nobody. */
  readonly covered: readonly ServedHours[];
  /** The hours that the absent person still serves. */
  readonly uncovered: readonly ServedHours[];
};

/**
 * The warnings of an absence with these hours.
 *
 * @param absences all of the account, as they are served
 * @param isByHand whether an event is an override that was made by hand since: nobody is missing there
 * @param now epoch ms
 */
export function absenceWarnings(
  record: AbsenceRecord,
  absences: readonly Absence[],
  { covered, uncovered }: AbsenceHours,
  isByHand: (eventId: string) => boolean,
  now: number,
): readonly AbsenceWarning[] {
  const count = uncovered.filter(({ eventId }) => !isByHand(eventId)).length;
  const status = absenceStatusAt(record, now);
  if (status === "asking" || status === "cancelled") return [];
  if (status === "declined" || status === "expired" || record.instead === "nobody_yet") {
    return count > 0 ? [{ reason: "nobody_yet", count }] : [];
  }
  const substitute = record.coveringAccountUserId;
  const isLeft = status === "uncovered";
  const away = new Map(
    inOrder(
      absences.filter((it) => it.accountUserId === substitute && isOverlapping(record, it)),
    ).map((it) => [it.id, it] as const),
  );
  const hasShifts = covered.length + uncovered.length > 0;
  return [
    ...[...away.values()].map((absence) => ({ reason: "substitute_absent", absence }) as const),
    ...(isLeft ? [{ reason: "substitute_left" } as const] : []),
    ...(!isLeft && count > 0 ? [{ reason: "nobody_found", count } as const] : []),
    ...(hasShifts ? [] : [{ reason: "no_shifts" } as const]),
  ];
}
