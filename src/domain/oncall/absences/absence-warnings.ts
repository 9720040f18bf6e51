/** What somebody should look at in a cover. Pure. */

import { type Absence, inOrder } from "./absence.ts";
import type { ServedHours } from "./absent-hours.ts";
import { absencesOfSubstitute, type Cover } from "./cover.ts";

export const COVER_WARNINGS = [
  "substitute_absent",
  "substitute_left",
  "nobody_found",
  "no_shifts",
] as const;

export type CoverWarning =
  /** Who covers is away in the same time, by another absence. */
  | { readonly reason: "substitute_absent"; readonly absence: Absence }
  | { readonly reason: "substitute_left" }
  /** Nobody was found for so many shifts. */
  | { readonly reason: "nobody_found"; readonly count: number }
  | { readonly reason: "no_shifts" };

type CoverHours = {
  /** The hours in which others serve, or nobody. */
  readonly covered: readonly ServedHours[];
  /** The hours that the absent person still serves. */
  readonly uncovered: readonly ServedHours[];
};

/**
 * The warnings of a cover with these hours.
 *
 * @param absences all of the account
 * @param isByHand whether an event is an override that was made by hand since: nobody is missing there
 */
export function coverWarnings(
  cover: Cover,
  absences: readonly Absence[],
  { covered, uncovered }: CoverHours,
  isByHand: (eventId: string) => boolean,
): readonly CoverWarning[] {
  const isLeft = cover.instead === "person" && cover.coveringAccountUserId === null;
  const away = new Map(
    inOrder(absencesOfSubstitute(cover, absences)).map((it) => [it.id, it] as const),
  );
  const unfilled = uncovered.filter(({ eventId }) => !isByHand(eventId));
  const hasShifts = covered.length + uncovered.length > 0;
  return [
    ...[...away.values()].map((absence) => ({ reason: "substitute_absent", absence }) as const),
    ...(isLeft ? [{ reason: "substitute_left" } as const] : []),
    ...(!isLeft && unfilled.length > 0
      ? [{ reason: "nobody_found", count: unfilled.length } as const]
      : []),
    ...(hasShifts ? [] : [{ reason: "no_shifts" } as const]),
  ];
}
