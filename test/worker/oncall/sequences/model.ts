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
  /** The series or the override that it was made of; null: what that had is gone, and it is a plain shift. */
  readonly parent: string | null;
  /** The greater is the newer. */
  readonly order: number;
  /** When it was made. */
  readonly madeAt: number;
  /** The start of the occurrence that it overrides. */
  readonly of: number;
  readonly hours: readonly Hours[];
  readonly layer: number;
  readonly people: string;
  /** The series whose people it replaces: two where one was continued by another; of a plain shift only itself. */
  readonly replaces: readonly string[];
  /** Of a plain shift; otherwise that of its series counts. */
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
      ...{ byHandAt: null, named: "" },
      ...{ ...hours, who, others, rounds },
    }));
  });
}

/** The parts of pieces outside of some hours. */
const without = (pieces: readonly Piece[], hours: readonly Hours[]): Piece[] =>
  pieces.flatMap((piece) => subtract(piece, hours).map((rest) => ({ ...piece, ...rest })));

/** Whether two overrides are of one series: then the newer takes precedence in common hours. */
export const areRelated = (one: Override, other: Override): boolean =>
  one.replaces.some((key) => other.replaces.includes(key));

/**
 * Series and overrides by hand: in the hours of an override its people are on call instead of those of what it
 * overrides, and of two of one series the newer counts. One without people, because all have left, replaces nobody.
 */
export function piecesByHand(state: State, until: number): Piece[] {
  const serving = state.overrides.filter(({ people }) => people !== "");
  const pieces = state.series.flatMap((series) => {
    const over = serving.filter((it) => it.replaces.includes(series.key) && isDirect(it, serving));
    return without(
      piecesOf(series, until),
      over.flatMap(({ hours }) => hours),
    );
  });
  for (const override of serving) {
    // A plain shift is overridden as a series is.
    const isPlain = override.replaces.includes(override.key);
    const others = serving.filter(({ key }) => key !== override.key);
    const newer = serving.filter(
      (it) =>
        it.order > override.order && areRelated(it, override) && (!isPlain || isDirect(it, others)),
    );
    const series = state.series.find(({ key }) => key === override.replaces[0]);
    const own = override.hours.map((hours) => ({
      ...{ ...hours, layer: override.layer, who: override.people, byHandAt: override.madeAt },
      ...{ priority: series?.rule.priority ?? override.priority, series: series?.key ?? "" },
      named: "",
      others: series ? othersAt(series, hours.from) : [],
      rounds: () => 0,
    }));
    pieces.push(
      ...without(
        own,
        newer.flatMap(({ hours }) => hours),
      ),
    );
  }
  return pieces;
}

/** Whether what is above an override has no people: then it takes them from the series itself. */
const isDirect = ({ parent }: Override, serving: readonly Override[]): boolean =>
  serving.every(({ key }) => key !== parent);

/** The positions that follow the turn at an instant. */
const othersAt = (series: Series, at: number) =>
  piecesOf(series, at + 1).findLast(({ from }) => from <= at)?.others ?? [];

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
