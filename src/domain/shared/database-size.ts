// The size of the database against its limit: from which share operators are warned, and when old
// records are removed before their retention ends. Pure.
//
// D1 reports the pages in use (`meta.size_after`): the size falls as soon as deletions empty whole
// pages. `freed` is for the other case, a size that stays although rows were deleted: their space is
// reused, so it counts as free until the size grows again.

/** D1's limit for a database. */
const DEFAULT_LIMIT_MB = 10_000;

/** From this share of the limit, the log and the console warn. */
export const WARN_SHARE = 0.7;
/** From this share, the oldest records are removed, … */
export const REMOVAL_SHARE = 0.8;
/** … until the share is below this one. */
const TARGET_SHARE = 0.78;
/** The smallest difference that is stored, as a share of the limit. */
const STEP_SHARE = 0.001;

export type DatabaseSize = {
  /** As D1 reported it. */
  readonly bytes: number;
  /** Estimated size of the rows removed to free space since `bytes` last changed. */
  readonly freed: number;
  /** Whether records are being removed to free space. */
  readonly reclaiming: boolean;
};

export const UNKNOWN_SIZE: DatabaseSize = { bytes: 0, freed: 0, reclaiming: false };

/** The limit in bytes. `megabytes`: as configured; D1's limit if undefined or not a number. */
export function limitOf(megabytes: string | undefined): number {
  const configured = Number(megabytes);
  return (configured > 0 ? configured : DEFAULT_LIMIT_MB) * 1_000_000;
}

/** The used share of the limit; above 1 if the limit is exceeded. */
export const usedShare = ({ bytes, freed }: DatabaseSize, limit: number): number =>
  Math.max(bytes - freed, 0) / limit;

/** The used share in whole percent, rounded down. */
export const usedPercent = (size: DatabaseSize, limit: number): number =>
  Math.floor(usedShare(size, limit) * 100);

/**
 * The size after a measurement. A difference below one step is ignored.
 *
 * @param bytes as D1 reports it
 * @param deleted estimated bytes of rows deleted since the last measurement
 */
export function measuredSize(
  size: DatabaseSize,
  bytes: number,
  deleted: number,
  limit: number,
): DatabaseSize {
  const isExact = Math.abs(bytes - size.bytes) >= limit * STEP_SHARE;
  const measured = isExact
    ? { ...size, bytes, freed: 0 }
    : { ...size, freed: size.freed + (size.reclaiming ? deleted : 0) };
  const share = usedShare(measured, limit);
  return { ...measured, reclaiming: share >= (size.reclaiming ? TARGET_SHARE : REMOVAL_SHARE) };
}
