// The model's overrides when people leave, and when what they override changes (contract 4, Overrides).
import { DAY } from "./clock.ts";
import { type Override, type State, shiftsIn } from "./model.ts";
import { type Hours, touches } from "./recurrence.ts";

const within = ({ hours }: Override, from: number, to: number): Hours[] =>
  hours
    .map((it) => ({ from: Math.max(it.from, from), to: Math.min(it.to, to) }))
    .filter((it) => it.from < it.to);

/** What a person served before an instant stays; from then on the hours return to those they replaced. */
export const leaveOverride = (override: Override, person: string, now: number): Override[] => {
  const people = override.people.replace(person, "");
  const after = { ...override, people, hours: within(override, now, Number.POSITIVE_INFINITY) };
  return [{ ...override, hours: within(override, 0, now) }, after].filter(
    ({ hours }) => hours.length > 0,
  );
};

/** The hours of an override, also those that others of its people have served. */
function wholeOf(state: State, key: string): Hours {
  const all = state.overrides.filter((it) => it.key === key).flatMap(({ hours }) => hours);
  return {
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to)),
  };
}

/**
 * A series after a change, without the overrides of what was removed, and those after its new end; others stay at their
 * hours. Without any version it has none.
 *
 * @param removes whether the change removes occurrences instead of moving them
 */
export function withoutGone(before: State, after: State, chain: string, removes: boolean): State {
  const versions = ({ series }: State) => series.filter((it) => it.chain === chain);
  const isOver = (state: State, hours: Hours) =>
    versions(state).some((it) =>
      shiftsIn(it, hours.to).some((shift) =>
        touches({ from: shift.startAt, to: shift.endAt }, hours),
      ),
    );
  const goesOn = (state: State, at: number) =>
    versions(state).some((it) => shiftsIn(it, at + 400 * DAY).some(({ startAt }) => startAt >= at));
  const goes = ({ key }: Override) => {
    const hours = wholeOf(after, key);
    const wasOver = isOver(before, hours);
    const isAfterEnd = (wasOver || goesOn(before, hours.to)) && !goesOn(after, hours.to);
    return !isOver(after, hours) && ((removes && wasOver) || isAfterEnd);
  };
  const isGone = (it: Override) => it.chain === chain && (versions(after).length === 0 || goes(it));
  return { ...after, overrides: after.overrides.filter((it) => !isGone(it)) };
}
