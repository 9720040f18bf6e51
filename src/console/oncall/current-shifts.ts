// Who is on call on each layer: now, until when, and who is next. Adjacent entries of the same
// people are merged.
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";

export type OnCallShift = {
  readonly people: readonly string[];
  readonly from: number;
  readonly until: number;
};

const idsOf = (entry: OnCallEntry) =>
  entry.attendees.map(({ attendee_id }) => attendee_id).toSorted();

/** The people of all entries that run at an instant. */
function peopleAt(entries: readonly OnCallEntry[], at: number): readonly string[] {
  const running = entries.filter(
    ({ start_time, end_time }) => Date.parse(start_time) <= at && at < Date.parse(end_time),
  );
  return [...new Set(running.flatMap(idsOf))].toSorted();
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, i) => id === other[i]);

/**
 * One layer's shifts in [from, to), in order, without gaps.
 *
 * @param entries the layer's entries
 */
export function mergeShifts(
  entries: readonly OnCallEntry[],
  from: number,
  to: number,
): OnCallShift[] {
  const edges = entries
    .flatMap(({ start_time, end_time }) => [Date.parse(start_time), Date.parse(end_time)])
    .filter((at) => at > from && at < to);
  const starts = [...new Set([from, ...edges])].toSorted((a, b) => a - b);
  const shifts: OnCallShift[] = [];
  for (const [i, start] of starts.entries()) {
    const people = peopleAt(entries, start);
    const until = starts[i + 1] ?? to;
    const last = shifts.at(-1);
    if (last && last.until === start && isSame(last.people, people)) {
      shifts[shifts.length - 1] = { ...last, until };
    } else if (people.length > 0) {
      shifts.push({ people, from: start, until });
    }
  }
  return shifts;
}
