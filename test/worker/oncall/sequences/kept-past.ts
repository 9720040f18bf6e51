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
  const made = (key: string) => madeAt.get(key) ?? now;
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
      return [change.series];
    case "override":
      return rootsOf(change.of, state);
    case "override_hours":
    case "delete":
      return rootsOf(change.key, state);
    case "flush":
      return [...state.series, ...state.overrides].flatMap(({ key }) => rootsOf(key, state));
    default:
      // What begins later, and people, whose rosters have versions.
      return [];
  }
}

/** The series of an override; a plain shift is its own. */
function rootsOf(key: string, { overrides }: State): readonly string[] {
  const override = overrides.find((it) => it.key === key);
  return override && override.parent !== null ? override.replaces : [key];
}
