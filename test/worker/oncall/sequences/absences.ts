// The model's absences: who serves for people who are away. Nothing is stored for it: whoever reads who is on call
// computes it over the series and the overrides by hand.
import type { Piece, State } from "./model.ts";
import { type Hours, subtract, touches } from "./recurrence.ts";

/** A person is away in [from, to). */
export type Absence = Hours & {
  readonly key: string;
  /** Absences apply in the order in which they were made. */
  readonly order: number;
  readonly person: string;
  /** When it was decided: overrides by hand that were made since stay. */
  readonly decidedAt: number;
  /**
   * Who serves: a person (a letter), the next in line, or nobody; `skip`: the next in line of rotations that skip
   * who is unavailable, in hours that the rotation gave.
   */
  readonly instead: string | "next" | "nobody" | "skip";
};

/** Pieces after all absences: covers in the order of their creation, then what rotations skip, by person. */
export function serveAbsences(
  pieces: readonly Piece[],
  { absences, series }: State,
  window: Hours,
): readonly Piece[] {
  const known = absences.filter((it) => touches(it, window));
  const covers = known
    .filter(({ instead }) => instead !== "skip")
    .sort((one, other) => one.order - other.order);
  const skips = known
    .filter(({ instead }) => instead === "skip")
    .sort((one, other) => (one.person < other.person ? -1 : 1) || one.from - other.from);
  const skipping = new Set(series.flatMap((it) => (it.rule.skipsAway ? [it.key] : [])));
  return [...covers, ...skips].reduce<readonly Piece[]>(
    (before, absence) => before.flatMap((piece) => serve(piece, absence, known, skipping)),
    pieces,
  );
}

function serve(
  piece: Piece,
  absence: Absence,
  all: readonly Absence[],
  skipping: ReadonlySet<string>,
): readonly Piece[] {
  const { person, decidedAt, instead } = absence;
  const isSkip = instead === "skip";
  const stays = isSkip
    ? piece.byHandAt !== null || piece.isCovered || !skipping.has(piece.series)
    : piece.byHandAt !== null && piece.byHandAt >= decidedAt;
  if (stays || !piece.who.includes(person) || !touches(piece, absence)) return [piece];
  const common = { from: Math.max(piece.from, absence.from), to: Math.min(piece.to, absence.to) };
  const rest = subtract(piece, [absence]).map((hours) => ({ ...piece, ...hours }));
  const others = piece.who.replace(person, "");
  const covered = { ...piece, isCovered: true };
  if (instead === "nobody") return [...rest, { ...covered, ...common, who: others }];
  if (instead !== "next" && !isSkip) {
    return [...rest, { ...covered, ...common, who: unite(others, instead) }];
  }
  // The hours are split where the absences of others begin and end.
  const edges = all
    .flatMap(({ from, to }) => [from, to])
    .filter((at) => at > common.from && at < common.to);
  const sorted = [...new Set([common.from, ...edges, common.to])].sort((one, two) => one - two);
  const parts = sorted.slice(0, -1).map((from, index) => {
    const hours = { from, to: sorted[index + 1] ?? common.to };
    const isAway = (it: string) =>
      all.some((other) => other.person === it && touches(other, hours));
    const next = piece.others
      .flat()
      .find((it) => it !== person && !piece.who.includes(it) && !isAway(it));
    if (next !== undefined) return { ...covered, ...hours, who: unite(others, next) };
    // A page to somebody who is away is better than a page to nobody.
    return isSkip || others === "" ? { ...piece, ...hours } : { ...covered, ...hours, who: others };
  });
  return [...rest, ...parts];
}

const unite = (one: string, other: string): string =>
  [...new Set([...one, ...other])].sort().join("");
