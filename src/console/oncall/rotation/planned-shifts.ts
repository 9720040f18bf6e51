// What the drawing of a change shows: who would be on call on each layer, the gaps, and what differs
// from today. All times are epoch ms.
import { DAY } from "../../../domain/shared/time.ts";
import type { OnCallEntry, OnCallPreview } from "../../../features/oncall/on-call/contract.ts";

export type ShownShift = {
  readonly from: number;
  readonly until: number;
  /** Nobody: a gap. */
  readonly people: readonly string[];
};

export type ShownChange = ShownShift & {
  readonly layer: number;
  /** Who is on call without the change. */
  readonly before: readonly string[];
};

/** When one person is on call on several layers: who does not answer on one is not there on the other. */
export type DoubleShift = Omit<ShownShift, "people"> & {
  readonly person: string;
  readonly layers: readonly number[];
};

export type PlannedLayer = {
  readonly layer: number;
  /** Without a break from the beginning to the end of the plan. */
  readonly shifts: readonly ShownShift[];
};

export type HoursDifference = {
  readonly id: string;
  readonly before: number;
  readonly after: number;
};

/** In [from, to) (epoch ms); whoever's hours change most comes first. */
export type PlannedHours = {
  readonly from: number;
  readonly to: number;
  readonly people: readonly HoursDifference[];
};

export type RotationPlan = {
  readonly from: number;
  readonly to: number;
  readonly layers: readonly PlannedLayer[];
  /** Those of whom the changes put on call, of each person in a row, ordered by time. */
  readonly doubles: readonly DoubleShift[];
  /** What differs from today, ordered by time; past times too. */
  readonly changes: readonly ShownChange[];
  /** Null or absent: nothing is changed. */
  readonly hours?: PlannedHours | null;
};

/** Whether a plan begins later than now (epoch ms): what it shows of changes is all later. */
export const isLater = ({ from }: RotationPlan, now: number): boolean => from - now > DAY;

/** Who is on call at some time on a layer, as the API's answers say it. */
type Entry = {
  readonly layer: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly account_user_ids: readonly string[];
};

/**
 * The plan for a schedule.
 *
 * @param entries of all layers; of one layer they may overlap, and all their people are on call
 * @param layers the layers to show even if nobody is on call on them
 */
export function planOf(
  entries: readonly Entry[],
  changes: readonly ShownChange[],
  layers: readonly number[],
  [from, to]: readonly [from: number, to: number],
): RotationPlan {
  const shown = new Set([...layers, ...changes.map(({ layer }) => layer)]);
  return {
    from,
    to,
    changes: changes.toSorted((one, other) => one.from - other.from),
    doubles: doublesOf(entries, changes, from, to),
    layers: [...shown]
      .sort((one, other) => one - other)
      .map((layer) => ({
        layer,
        shifts: joinEntries(
          entries.filter((entry) => entry.layer === layer),
          from,
          to,
        ),
      })),
  };
}

function doublesOf(
  entries: readonly Entry[],
  changes: readonly ShownChange[],
  from: number,
  to: number,
): readonly DoubleShift[] {
  return [...new Set(changes.flatMap(({ people }) => people))].flatMap((person) => {
    const theirs = entries.filter((it) => it.account_user_ids.includes(person));
    const put = changes.filter((it) => it.people.includes(person));
    const byLayer = theirs.map((it) => ({ ...it, account_user_ids: [String(it.layer)] }));
    return joinEntries(byLayer, from, to)
      .filter(({ people: layers }) => layers.length > 1)
      .filter((it) => put.some((by) => by.from < it.until && it.from < by.until))
      .map(({ people: layers, ...span }) => ({ ...span, person, layers: layers.map(Number) }));
  });
}

/** An entry of the API's list of who is on call, as the previews have it. */
export const plannedEntry = (entry: OnCallEntry): Entry => ({
  ...{ layer: entry.layer, start_time: entry.start_time, end_time: entry.end_time },
  account_user_ids: entry.attendees.map(({ attendee_id }) => attendee_id),
});

/** The shifts in [from, to), in order and without a break: adjacent ones of the same people are one. */
export function joinEntries(entries: readonly Entry[], from: number, to: number): ShownShift[] {
  const times = entries.map((it) => ({
    from: Date.parse(it.start_time),
    until: Date.parse(it.end_time),
    people: it.account_user_ids,
  }));
  const edges = times.flatMap((it) => [it.from, it.until]).filter((at) => at > from && at < to);
  const starts = [...new Set([from, ...edges])].sort((one, other) => one - other);
  const shifts: ShownShift[] = [];
  for (const [at, start] of starts.entries()) {
    const running = times.filter((it) => it.from <= start && start < it.until);
    const people = [...new Set(running.flatMap((it) => it.people))].sort();
    const until = starts[at + 1] ?? to;
    const last = shifts.at(-1);
    if (last && last.people.join() === people.join()) {
      shifts[shifts.length - 1] = { ...last, until };
    } else {
      shifts.push({ from: start, until, people });
    }
  }
  return shifts;
}

/** The shifts after changes that are previewed one by one, on a schedule. */
export const shiftsIn = (previews: readonly OnCallPreview[], scheduleId: string) =>
  schedulesIn(previews, scheduleId).flatMap(({ shifts }) => shifts);

/** What the previewed changes of a schedule differ in. */
export const changesIn = (
  previews: readonly OnCallPreview[],
  scheduleId: string,
): readonly ShownChange[] =>
  schedulesIn(previews, scheduleId).flatMap(({ changes }) =>
    changes.map((it) => ({
      layer: it.layer,
      from: Date.parse(it.start_time),
      until: Date.parse(it.end_time),
      before: it.account_user_ids_before,
      people: it.account_user_ids_after,
    })),
  );

/** A schedule in each of the previews. */
export const schedulesIn = (previews: readonly OnCallPreview[], scheduleId: string) =>
  previews.flatMap(({ schedules }) => schedules.filter((it) => it.schedule_id === scheduleId));

/** The times of a layer at which nobody is on call. */
export const gapsOf = ({ shifts }: PlannedLayer): readonly ShownShift[] =>
  shifts.filter(({ people }) => people.length === 0);
