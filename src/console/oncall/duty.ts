// Who is on call on each layer: now, until when, and who is next. Adjacent entries of the same
// people are merged.
import type { OnCallEntry } from "../../contract/oncall/on-call.ts";

export type Duty = {
  readonly people: readonly string[];
  readonly from: number;
  readonly until: number;
};

const idsOf = (turn: OnCallEntry) =>
  turn.attendees.map(({ attendee_id }) => attendee_id).toSorted();

/** The people of all entries that run at an instant. */
function peopleAt(turns: readonly OnCallEntry[], at: number): readonly string[] {
  const running = turns.filter(
    ({ start_time, end_time }) => Date.parse(start_time) <= at && at < Date.parse(end_time),
  );
  return [...new Set(running.flatMap(idsOf))].toSorted();
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, i) => id === other[i]);

/**
 * One layer's shifts in [from, to), in order, without gaps.
 *
 * @param turns the layer's entries
 */
export function dutiesOf(turns: readonly OnCallEntry[], from: number, to: number): Duty[] {
  const edges = turns
    .flatMap(({ start_time, end_time }) => [Date.parse(start_time), Date.parse(end_time)])
    .filter((at) => at > from && at < to);
  const starts = [...new Set([from, ...edges])].toSorted((a, b) => a - b);
  const duties: Duty[] = [];
  for (const [i, start] of starts.entries()) {
    const people = peopleAt(turns, start);
    const until = starts[i + 1] ?? to;
    const last = duties.at(-1);
    if (last && last.until === start && isSame(last.people, people)) {
      duties[duties.length - 1] = { ...last, until };
    } else if (people.length > 0) {
      duties.push({ people, from: start, until });
    }
  }
  return duties;
}
