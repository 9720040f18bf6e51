/** What somebody should look at in a cover. Pure. */

import { type Cover, isOverlapping } from "./cover.ts";
import type { CoverParts } from "./cover-parts.ts";

export const COVER_WARNINGS = [
  "substitute_absent",
  "substitute_left",
  "nobody_found",
  "no_shifts",
] as const;

export type CoverWarning =
  /** Who covers is absent in the same time, by another cover. */
  | { readonly reason: "substitute_absent"; readonly coverId: string }
  | { readonly reason: "substitute_left" }
  /** Nobody was found for so many shifts. */
  | { readonly reason: "nobody_found"; readonly count: number }
  | { readonly reason: "no_shifts" };

/** The warnings of a cover that is decided like this, among all covers. */
export function coverWarnings(
  cover: Cover,
  covers: readonly Cover[],
  { parts, unfilled }: CoverParts,
): readonly CoverWarning[] {
  const { coveredBy, coveringAccountUserId } = cover;
  const isLeft = coveredBy === "person" && coveringAccountUserId === null;
  const absences = covers.filter(
    (other) => other.accountUserId === coveringAccountUserId && isOverlapping(cover, other),
  );
  const hasShifts = parts.length + unfilled.length > 0;
  return [
    ...absences.map(({ id }) => ({ reason: "substitute_absent", coverId: id }) as const),
    ...(isLeft ? [{ reason: "substitute_left" } as const] : []),
    ...(!isLeft && unfilled.length > 0
      ? [{ reason: "nobody_found", count: unfilled.length } as const]
      : []),
    ...(hasShifts ? [] : [{ reason: "no_shifts" } as const]),
  ];
}
