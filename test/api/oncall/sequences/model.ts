// Who is on call: the model that generated sequences of changes are compared with. To be read as the specification
// (contract 4); it has nothing of the code under test. People are letters, "AB" are two of them.
import {
  type Following,
  type ReferenceChange,
  type ReferenceOccurrence,
  type ReferenceRoster,
  type Standing,
  walk,
} from "../../../support/oncall/roster-reference.ts";
import { type Absence, serveAbsences } from "./absences.ts";
import { type Hours, occurrencesOf, type Rule, restrict, subtract } from "./recurrence.ts";

/** A single shift, a repeating one or a rotation. */
export type Series = {
  readonly key: string;
  /** The key of the series that it goes on with, from the first on; its own if it is the first. */
  readonly chain: string;
  readonly rule: Rule;
  /** It continues another one: from when, and the turn of its first occurrence. */
  readonly begins: { readonly at: number; readonly turn: number } | null;
  /** No occurrence starts from then on. */
  readonly cutAt: number | null;
  /** The starts of the removed occurrences. */
  readonly removed: readonly number[];
  /** Its people at first; of a series that continues another one, where that one stood. */
  readonly first: ReferenceRoster | Standing;
  /** When its people change, or changed, in order. */
  readonly changes: readonly ReferenceChange[];
};

export type Override = {
  readonly key: string;
  /** The series whose people it replaces, in whatever version. */
  readonly chain: string;
  /** The greater is the newer. */
  readonly order: number;
  /** When it was made. */
  readonly madeAt: number;
  readonly hours: readonly Hours[];
  readonly layer: number;
  /** None: it replaces nobody, unless it leaves its hours empty. */
  readonly people: string;
  readonly isEmpty: boolean;
  /** If no version of its series is left; otherwise that of the version counts. */
  readonly priority: number;
};

export type State = {
  readonly series: readonly Series[];
  readonly overrides: readonly Override[];
  readonly absences: readonly Absence[];
  /** How many overrides and absences have been made. */
  readonly made: number;
};

export const EMPTY: State = { series: [], overrides: [], absences: [], made: 0 };

/** People on call on a layer in [from, to), by one series or override. */
export type Piece = Hours & {
  readonly layer: number;
  readonly priority: number;
  /** Nobody ("") counts where others of its layer have lower priority. */
  readonly who: string;
  readonly series: string;
  /** From when which positions follow, in order, the own one last. */
  readonly others: readonly Following[];
  /** How many full rounds of the rotation lie between an instant and this turn. */
  readonly rounds: (since: number) => number;
  /** When somebody put these people on call by hand; null: the series did. */
  readonly byHandAt: number | null;
  /** Who serves because a cover names them. */
  readonly named: string;
  /** The keys of the absences by which somebody is replaced. */
  readonly absent: string;
};

/** The occurrences of a series that start before an instant, also the removed ones, which use their turns. */
export function occurrencesIn(series: Series, until: number): ReferenceOccurrence[] {
  const { rule, begins, cutAt, removed } = series;
  const all = occurrencesOf(rule, until).filter(({ from }) => from >= (begins?.at ?? 0));
  const ahead = begins ? begins.turn - (all[0]?.turn ?? 0) : 0;
  return all
    .filter(({ from }) => cutAt === null || from < cutAt)
    .map(({ from, to, turn }) => ({
      ...{ startAt: from, endAt: to, turn: turn + ahead },
      isRemoved: removed.includes(from),
    }));
}

/** The occurrences that take place. */
export const shiftsIn = (series: Series, until: number): ReferenceOccurrence[] =>
  occurrencesIn(series, until).filter(({ isRemoved }) => !isRemoved);

/** What a series alone has, without overrides. */
function piecesOf(series: Series, until: number): Piece[] {
  const { rule, first, changes, key } = series;
  const occurrences = occurrencesIn(series, until);
  const { shifts } = walk(first, occurrences, changes);
  return shifts.flatMap(({ startAt, endAt, who, others, turn }) => {
    const positions = Math.max(1, others[0]?.line.length ?? 1);
    const rounds = (since: number) => {
      const begun = occurrences.findLast((it) => it.startAt <= since) ?? occurrences[0];
      return Math.max(0, Math.floor((turn - (begun?.turn ?? turn)) / positions));
    };
    return restrict(rule, { from: startAt, to: endAt }).map((hours) => ({
      ...{ layer: rule.layer, priority: rule.priority, series: key },
      ...{ byHandAt: null, named: "", absent: "" },
      ...{ ...hours, who, others, rounds },
    }));
  });
}

/** The parts of pieces outside of some hours. */
const without = (pieces: readonly Piece[], hours: readonly Hours[]): Piece[] =>
  pieces.flatMap((piece) => subtract(piece, hours).map((rest) => ({ ...piece, ...rest })));

/** When a version begins. */
export const beginOf = ({ begins, rule }: Series): number => begins?.at ?? rule.start;

/** The version of a series that counts at an instant: the last that has begun, else the first. */
function versionAt({ series }: State, chain: string, at: number): Series | undefined {
  const versions = series
    .filter((it) => it.chain === chain)
    .toSorted((one, other) => beginOf(one) - beginOf(other));
  return versions.findLast((it) => beginOf(it) <= at) ?? versions[0];
}

/**
 * Series and overrides by hand: in the hours of an override its people are on call instead of those of its series, and
 * of two of one series the newer counts.
 */
export function piecesByHand(state: State, until: number): Piece[] {
  const counting = state.overrides.filter(({ people, isEmpty }) => people !== "" || isEmpty);
  const hoursOf = (overrides: readonly Override[]) => overrides.flatMap(({ hours }) => hours);
  const ofSeries = state.series.flatMap((series) =>
    without(
      piecesOf(series, until),
      hoursOf(counting.filter(({ chain }) => chain === series.chain)),
    ),
  );
  const ofOverrides = counting.flatMap((override) => {
    const { chain, order, layer, people, madeAt, priority } = override;
    const newer = counting.filter((it) => it.chain === chain && it.order > order);
    const all = state.overrides.filter(({ key }) => key === override.key);
    const begin = Math.min(...hoursOf(all).map(({ from }) => from));
    const version = versionAt(state, chain, begin);
    const own = override.hours.map((hours) => ({
      ...{ ...hours, layer, who: people, byHandAt: madeAt, named: "", absent: "" },
      ...{ priority: version?.rule.priority ?? priority, series: version?.key ?? "" },
      others: version ? othersAt(version, hours.from) : [],
      rounds: () => 0,
    }));
    return without(own, hoursOf(newer));
  });
  return [...ofSeries, ...ofOverrides];
}

/** The positions that follow the turn at an instant. */
const othersAt = ({ first, changes, ...series }: Series, at: number) =>
  // Restrictions leave the turns.
  walk(first, occurrencesIn({ first, changes, ...series }, at + 1), changes).shifts.findLast(
    ({ startAt }) => startAt <= at,
  )?.others ?? [];

/** People on call on a layer in [from, to). */
export type Served = Hours & { readonly layer: number; readonly who: string };

/**
 * Who is on call in a window: of everything on a layer only what has the highest priority at the time, and of that
 * the people united.
 */
export function onCall(state: State, window: Hours): Served[] {
  const pieces = serveAbsences(piecesByHand(state, window.to), state, window);
  const counting = pieces.flatMap((piece) => {
    const above = pieces.filter((it) => it.layer === piece.layer && it.priority > piece.priority);
    return without(piece.who === "" ? [] : [piece], above);
  });
  return unitePeople(counting, window);
}

/** The people of a layer at each time, cut to the window; adjacent times of the same people are one. */
export function unitePeople(all: readonly Served[], window: Hours): Served[] {
  const united: Served[] = [];
  const layers = [...new Set(all.map(({ layer }) => layer))].sort((one, other) => one - other);
  for (const layer of layers) {
    const own = all.filter(
      (it) => it.layer === layer && it.from < window.to && it.to > window.from,
    );
    const edges = own.flatMap(({ from, to }) => [
      Math.max(from, window.from),
      Math.min(to, window.to),
    ]);
    const sorted = [...new Set(edges)].sort((one, other) => one - other);
    for (const [index, from] of sorted.slice(0, -1).entries()) {
      const to = sorted[index + 1] ?? from;
      const running = own.filter((it) => it.from <= from && it.to >= to);
      const who = [...new Set(running.flatMap((it) => [...it.who]))].sort().join("");
      const last = united.at(-1);
      if (who === "") continue;
      if (last?.layer === layer && last.to === from && last.who === who) {
        united[united.length - 1] = { ...last, to };
      } else united.push({ layer, from, to, who });
    }
  }
  return united;
}

const minute = (at: number) => new Date(at).toISOString().replace(":00.000Z", "Z");

/** `1 2031-03-05T09:00Z..2031-03-06T09:00Z AB` for each. */
export const readable = (all: readonly Served[]): string[] =>
  all.map(({ layer, from, to, who }) => `${layer} ${minute(from)}..${minute(to)} ${who}`);
