// What does not hold yet: the list only shrinks.
import type { Change } from "./changes.ts";
import type { State } from "./model.ts";

/**
 * Not promised yet: changes after which hours before now may be others' (contract 4 promises them for changes of
 * people, undo, and what begins later). What is left out here keeps the past.
 */
const NOT_PROMISED: ReadonlySet<Change["kind"]> = new Set([
  /** An event that began in the past is entered, or a shift of the past. */
  "create",
  /** Another frequency, other hours, layers, priorities or restrictions. */
  "rule",
  /** The same, from a shift of the past on. */
  "following",
  /** Of a shift of the past, or of hours of it. */
  "override",
  "override_hours",
  "exception",
  "terminate",
  "remove_part",
  /** Everything that was served is gone. */
  "delete",
  "flush",
] as const);

/** Whether a change keeps who was on call before an instant, as far as it is promised. */
export function keepsThePast(change: Change, state: State, now: number): boolean {
  if (change.kind === "race") {
    return keepsThePast(change.one, state, now) && keepsThePast(change.other, state, now);
  }
  if (!NOT_PROMISED.has(change.kind)) return true;
  switch (change.kind) {
    case "create":
      return change.rule.start >= now;
    case "override":
      return change.from >= now;
    case "override_hours":
      return (
        change.from >= now &&
        !state.overrides.some(
          ({ key, hours }) => key === change.key && hours.some(({ from }) => from < now),
        )
      );
    case "following":
      return change.at >= now;
    case "exception":
    case "terminate":
    case "remove_part":
      return change.at >= now && !hasServed(state, change.series, now);
    case "delete":
      return !hasServed(state, change.key, now);
    default:
      return false;
  }
}

/** Whether a series or an override, or an override of it, had hours before an instant. */
const hasServed = ({ series, overrides }: State, key: string, now: number): boolean =>
  series.some((it) => it.key === key && it.rule.start < now) ||
  overrides.some((it) => it.key === key && it.hours.some(({ from }) => from < now));
