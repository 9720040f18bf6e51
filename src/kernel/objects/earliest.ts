/** The earliest of the instants (epoch ms); null if all are null. */
export function earliest(...instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
