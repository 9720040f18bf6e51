// Finds the maintenance window that contains an instant. Pure.

/** Epoch ms; `endAt` is exclusive. */
type Window = { readonly startAt: number; readonly endAt: number };

/**
 * The window that contains an instant (of overlapping ones, the one that ends last); null if none
 * does.
 *
 * @param windows undefined in configuration copies from before the field existed
 * @param at epoch ms
 */
export function windowAround(
  windows: readonly Window[] | undefined,
  at: number,
): { readonly at: number; readonly until: number } | null {
  const around = (windows ?? []).filter(({ startAt, endAt }) => startAt <= at && at < endAt);
  return around.length === 0 ? null : { at, until: Math.max(...around.map((it) => it.endAt)) };
}
