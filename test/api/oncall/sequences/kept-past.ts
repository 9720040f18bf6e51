// Which hours of the past a change keeps, as far as the sequences know when things were made.
import type { Change } from "./changes.ts";
import type { State } from "./model.ts";

/** An event that was made less than this ago has served nothing worth keeping (ms). */
const LEAST = 60_000;

/** When each series and override was made (epoch ms), by its key. */
export type MadeAt = ReadonlyMap<string, number>;

/**
 * From when on a change keeps who was on call before it (epoch ms). What is entered in the past counts
 * there, and until it has served, so does what is done to it. Null: such is the change.
 */
export function keepsFrom(
  change: Change,
  state: State,
  madeAt: MadeAt,
  now: number,
): number | null {
  const made = (chain: string) =>
    Math.min(
      now,
      ...[...state.series, ...state.overrides]
        .filter((it) => it.chain === chain)
        .map(({ key }) => madeAt.get(key) ?? now),
    );
  const since = Math.max(0, ...seriesOf(change, state).map(made));
  return now - since < LEAST ? null : since;
}

/** The series that a change changes, as far as it may change hours of the past. */
function seriesOf(change: Change, state: State): readonly string[] {
  switch (change.kind) {
    case "create":
      return [change.key];
    case "race":
      return [change.one, change.other].flatMap((it) => seriesOf(it, state));
    case "rule":
    case "following":
    case "exception":
    case "terminate":
    case "remove_part":
      return chainsOf(change.series, state);
    case "override":
      return chainsOf(change.of, state);
    case "override_hours":
    case "delete":
      return chainsOf(change.key, state);
    case "flush":
      return state.series.map(({ chain }) => chain);
    default:
      // What begins later, and people, whose rosters have versions.
      return [];
  }
}

/** The series of a version or an override. */
const chainsOf = (key: string, { series, overrides }: State): readonly string[] =>
  [...series, ...overrides].filter((it) => it.key === key).map(({ chain }) => chain);
