// The order of a channel's providers as the deployment's variables give it. Pure.

/**
 * The providers that a variable names, in its order; all of them if it is empty. Unknown names and
 * repetitions are left out.
 */
export function orderOf<Name extends string>(
  variable: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  const named = (variable ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (named.length === 0) return known;
  return [...new Set(named)].flatMap((name) => known.filter((it) => it === name));
}
