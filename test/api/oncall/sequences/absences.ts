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
  /** When the person is away from, also in what is left of it. */
  readonly since: number;
  /** When it was decided: overrides by hand that were made since stay. */
  readonly decidedAt: number;
  /**
   * Who serves: a person (a letter; none when they have left), the next in line, or nobody; `skip`: the next in line
   * of rotations that skip who is away, in hours that the rotation gave.
   */
  readonly instead: string;
};

/** Pieces after all absences: covers in the order of their creation, then what rotations skip. */
export function serveAbsences(
  pieces: readonly Piece[],
  { absences, series }: State,
  window: Hours,
): readonly Piece[] {
  const known = absences.filter((it) => touches(it, window));
  const isSkip = (it: Absence) => it.instead === "skip";
  const ordered = known.toSorted(
    (one, other) =>
      Number(isSkip(one)) - Number(isSkip(other)) ||
      (isSkip(one) ? one.since - other.since : 0) ||
      one.order - other.order,
  );
  const rotations = series.filter(({ first }) => first.rotates);
  const skipping = new Set(rotations.flatMap((it) => (it.rule.skipsAway ? [it.key] : [])));
  const mayServe = (piece: Piece, absence: Absence) =>
    isSkip(absence)
      ? piece.byHandAt === null &&
        !piece.named.includes(absence.person) &&
        skipping.has(piece.series)
      : piece.byHandAt === null || piece.byHandAt < absence.decidedAt;
  return ordered.reduce<readonly Piece[]>(
    (before, absence) =>
      before.flatMap((piece) =>
        piece.who.includes(absence.person) && touches(piece, absence) && mayServe(piece, absence)
          ? serve(piece, absence, known)
          : [piece],
      ),
    pieces,
  );
}

/** A piece with who serves in the hours of an absence. */
function serve(piece: Piece, absence: Absence, all: readonly Absence[]): readonly Piece[] {
  const { person, instead, key } = absence;
  if (instead === "") return [piece];
  const absent = `${piece.absent} ${key}`;
  const rest = subtract(piece, [absence]).map((hours) => ({ ...piece, ...hours }));
  const common = { from: Math.max(piece.from, absence.from), to: Math.min(piece.to, absence.to) };
  const others = piece.who.replace(person, "");
  if (instead === "nobody") return [...rest, { ...piece, ...common, who: others, absent }];
  if (instead !== "next" && instead !== "skip") {
    const named = piece.named + instead;
    return [...rest, { ...piece, ...common, who: unite(others, instead), named, absent }];
  }
  // The hours are split where the absences of others begin and end, and where others follow.
  const edges = [
    ...all.flatMap(({ from, to }) => [from, to]),
    ...piece.others.map((it) => it.from),
  ];
  const inside = edges.filter((at) => at > common.from && at < common.to);
  const sorted = [...new Set([common.from, ...inside, common.to])].sort((one, two) => one - two);
  const parts = sorted.slice(0, -1).map((from, index) => {
    const hours = { from, to: sorted[index + 1] ?? common.to };
    const isHere = (it: string) => !all.some((one) => one.person === it && touches(one, hours));
    const following = piece.others.findLast((it) => it.from <= from) ?? piece.others[0];
    // Each turn in the absence begins with the next one; those who joined since come last.
    const begun = (piece.others[0]?.line ?? [])
      .slice(0, piece.byHandAt === null ? -1 : undefined)
      .flat();
    const first = piece.rounds(absence.since) % Math.max(1, begun.length);
    const inTurn = [...begun.slice(first), ...begun.slice(0, first)];
    const left = following?.line.flat() ?? [];
    const line = [
      ...inTurn.filter((it) => left.includes(it)),
      ...left.filter((it) => !inTurn.includes(it)),
    ];
    const next = line.find((it) => it !== person && !others.includes(it) && isHere(it));
    // A page to somebody who is away is better than a page to nobody.
    const isFilled = next !== undefined || [...others].some(isHere);
    if (!isFilled) return { ...piece, ...hours };
    return { ...piece, ...hours, who: unite(others, next ?? ""), absent };
  });
  return [...rest, ...parts];
}

const unite = (one: string, other: string): string =>
  [...new Set([...one, ...other])].sort().join("");
