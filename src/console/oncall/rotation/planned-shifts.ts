// What the drawing of a change shows, and says in words: who would be on call on each layer, the
// gaps, and what differs from today. All times are epoch ms.
import { DAY } from "../../../domain/shared/time.ts";
import { capitalized } from "../../../domain/shared/words.ts";
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

export type Wording = {
  readonly nameOf: (id: string) => string;
  /** A day and a time, such as `Mon 23 Nov 09:00`. */
  readonly timeOf: (at: number) => string;
};

/** `Ada`, `Ada and Mo`, `Ada, Mo and Grace`; `nobody` for none. */
export const listText = (names: readonly string[]): string =>
  new Intl.ListFormat("en-GB").format(names) || "nobody";

export const namesText = (people: readonly string[], { nameOf }: Wording): string =>
  listText(people.map(nameOf));

/**
 * `Mo is on call now and stays until Mon 23 Nov 09:00; then Ada.`
 *
 * @param isLater whether the plan does not begin now
 */
export function layerText(
  { shifts }: PlannedLayer,
  to: number,
  wording: Wording,
  isLater = false,
): string {
  const [first, second] = shifts;
  if (!first) return "";
  const names = capitalized(namesText(first.people, wording));
  const are = first.people.length > 1 ? "are" : "is";
  if (first.until >= to) return `${names} ${are} on call for the whole time.`;
  const until = wording.timeOf(first.until);
  const next = second ? namesText(second.people, wording) : "nobody";
  if (isLater) return `${names} ${are} on call until ${until}; then ${next}.`;
  if (first.people.length === 0) return `Nobody is on call now; from ${until} ${next}.`;
  const stay = first.people.length > 1 ? "stay" : "stays";
  return `${names} ${are} on call now and ${stay} until ${until}; then ${next}.`;
}

/** How much of a layer is without anybody; null if nothing is. */
export function gapText(layer: PlannedLayer, wording: Wording): string | null {
  const gaps = gapsOf(layer);
  const [first] = gaps;
  if (!first) return null;
  const times = spanText(first, layer.shifts.at(-1)?.until ?? first.until, wording);
  if (gaps.length === 1) return `Nobody is on call ${times}.`;
  return `Nobody is on call ${gaps.length} times, first ${times}.`;
}

/** `Ada is on steps 1 and 2 at once Mon 23 Nov 09:00 – Mon 30 Nov 09:00.`, of one person's in the order of time. */
export function doubleText(doubles: readonly DoubleShift[], to: number, wording: Wording): string {
  const [first] = doubles;
  if (!first) return "";
  const layers = [...new Set(doubles.flatMap((it) => it.layers))].sort((a, b) => a - b).map(String);
  const times = spanText(first, to, wording);
  const when = doubles.length === 1 ? times : `${doubles.length} times, first ${times}`;
  return `${wording.nameOf(first.person)} is on steps ${listText(layers)} at once ${when}.`;
}

type Span = { readonly from: number; readonly until: number };

/** `Mon 23 Nov 09:00 – Mon 30 Nov 09:00`, or `from Mon 23 Nov 09:00 on` to the end of the plan. */
export const spanText = ({ from, until }: Span, to: number, { timeOf }: Wording): string =>
  until < to ? `${timeOf(from)} – ${timeOf(until)}` : `from ${timeOf(from)} on`;

/** `Mon 23 Nov 09:00 – Mon 30 Nov 09:00: Ada instead of Mo`. */
export function changeText(change: ShownChange, to: number, wording: Wording): string {
  const { people, before } = change;
  const times = capitalized(spanText(change, to, wording));
  return `${times}: ${namesText(people, wording)} instead of ${namesText(before, wording)}`;
}

/** The changes that take somebody off call, or put another person on: not those that close a gap. */
export const replacements = ({ changes }: RotationPlan): readonly ShownChange[] =>
  changes.filter(({ before }) => before.length > 0);
