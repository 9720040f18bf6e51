/** The earliest of instants (epoch ms) that may be missing; null = all are. */
export function earliest(...instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
