// Whether something happened inside a maintenance window. Pure.

/** Half-open: at `endAt` it is over (epoch ms). */
type Window = { readonly startAt: number; readonly endAt: number };

/**
 * The window around an instant: the one that ends last, where several overlap; null outside of any.
 *
 * @param windows undefined in a copy of the configuration from before there were any
 * @param at epoch ms
 */
export function windowAround(
  windows: readonly Window[] | undefined,
  at: number,
): { readonly at: number; readonly until: number } | null {
  const around = (windows ?? []).filter(({ startAt, endAt }) => startAt <= at && at < endAt);
  return around.length === 0 ? null : { at, until: Math.max(...around.map((it) => it.endAt)) };
}
