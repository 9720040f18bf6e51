/** Absences for the tests of who is on call instead, and random schedules that they concern. */

import {
  type Absence,
  inOrder,
  type OnCallSchedule,
} from "../../../src/domain/oncall/absences/absence.ts";
import type { AbsenceRecord } from "../../../src/domain/oncall/absences/absence-record.ts";
import type { OnCallSchedules } from "../../../src/domain/oncall/absences/absent-hours.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { changeRoster } from "../../../src/domain/oncall/rosters/roster-change.ts";
import { at, event, people, readAll } from "./oncall-makers.ts";
import { pick, type Random, randomRoster, randomSeries } from "./roster-random.ts";
import type { ReferenceOccurrence } from "./roster-reference.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A Monday. */
export const MONDAY = at("2026-01-05T00:00Z");

/** An instant of January 2026 from its day and time, such as `05T12:00`. */
export const january = (time: string): number => at(`2026-01-${time}Z`);

/** An absence of A from and to a time of January 2026, in all schedules; by default Z serves instead. */
export const absent = (from: string, to: string, fields: Partial<Absence> = {}): Absence => ({
  id: "absent",
  accountUserId: "A",
  startAt: january(from),
  endAt: january(to),
  instead: "person",
  coveringAccountUserId: fields.instead === undefined || fields.instead === "person" ? "Z" : null,
  scheduleIds: null,
  decidedAt: 1_000,
  released: [],
  ...fields,
});

/** The record of an absence that asks nobody. */
export const recordOf = (absence: Absence): AbsenceRecord => ({ ...absence, asking: null });

/** An absence of A that leaves it to the rotation who serves. */
export const away = (from: string, to: string, fields: Partial<Absence> = {}): Absence => ({
  ...absent(from, to),
  ...{ id: "away", instead: "nobody_yet", coveringAccountUserId: null },
  ...fields,
});

/** Daily turns of these positions from Monday on; `AB` is a position of two. */
export const rotation = (
  positions: readonly string[],
  fields: Partial<OnCallEvent> = {},
): OnCallEvent => ({
  ...event({
    id: "rotation",
    start: "2026-01-05T00:00Z",
    end: "2026-01-06T00:00Z",
    frequencyUnit: "daily",
    rotation: true,
  }),
  attendees: positions.flatMap((those, position) =>
    people(those).map((it) => ({ ...it, position })),
  ),
  ...fields,
});

/** The same as one that gives the hours of people who are unavailable to the next in line. */
export const skippingRotation = (positions: readonly string[]): OnCallEvent =>
  rotation(positions, { skipChanges: [0] });

/** An override of the rotation that was made by hand at 5,000. */
export const byHand = (
  who: string,
  from: string,
  to: string,
  fields: Partial<OnCallEvent> = {},
): OnCallEvent => ({
  ...event({ id: "by-hand", createdAt: 5_000, parentId: "rotation", who }),
  startAt: january(from),
  endAt: january(to),
  ...fields,
});

/** A schedule of these events and absences, of which it puts the latter in order. */
export const withAway = (
  events: readonly OnCallEvent[],
  absences: readonly Absence[],
): OnCallSchedule => ({ events, absences: inOrder(absences) });

/** A schedule with the id `skd`. */
export const inOneSchedule = (schedule: OnCallSchedule): OnCallSchedules =>
  new Map([["skd", schedule]]);

/** `Mon 00:00–12:00 AB` for each part of the days from Monday on. */
export const daysOf = (schedule: OnCallSchedule, count: number): string[] =>
  readAll(onCallBetween(schedule, MONDAY, MONDAY + count * DAY), "UTC").map((line) => {
    const [from = "", to = "", who = ""] = line.split(" | ");
    return `${from.slice(0, 3)} ${from.slice(15, 20)}–${to.slice(15, 20)} ${who}`;
  });

/** `Mon 00:00–00:00 A` for each of the days from Monday on, which one turn takes whole. */
export const wholeDays = (...who: readonly string[]): string[] =>
  who.map((it, index) => `${WEEKDAYS[index % WEEKDAYS.length]} 00:00–00:00 ${it}`);

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export type RandomEvents = {
  readonly events: readonly OnCallEvent[];
  /** The occurrences of each series, also those that are removed, by its id. */
  readonly occurrences: ReadonlyMap<string, readonly ReferenceOccurrence[]>;
};

/** Series, whose people may change, and overrides that were made by hand at 0, 1, 2 ... */
export function randomEvents(random: Random, names: readonly string[]): RandomEvents {
  const events: OnCallEvent[] = [];
  const known = new Map<string, readonly ReferenceOccurrence[]>();
  const count = 1 + Math.floor(random() * 3);
  for (let index = 0; index < count; index++) {
    const { series, occurrences } = randomSeries(random, names);
    const id = `series-${index}`;
    known.set(id, occurrences);
    const priority = random() < 0.2 ? 1 + Math.floor(random() * 2) : 0;
    const restrictions =
      random() < 0.2 ? [{ daysOfWeek: [], startMinute: 600, endMinute: 1_320 }] : [];
    const layer = 1 + Math.floor(random() * 2);
    const hour = () => series.startAt + Math.floor(random() * 15 * 24) * HOUR;
    const skipChanges = [0, hour(), hour()].sort((one, other) => one - other);
    const changes = skipChanges.slice(0, Math.floor(random() * 4));
    const rule = { layer, priority, restrictions, skipChanges: changes };
    let whole: OnCallEvent = { ...series, id, seriesId: id, ...rule };
    for (let at = hour(); random() < 0.4; at += 30 * HOUR) {
      whole = changeRoster(whole, randomRoster(random, names), at);
    }
    events.push(whole, ...overridesOf(random, whole, occurrences, names, events.length));
  }
  return { events, occurrences: known };
}

function overridesOf(
  random: Random,
  { id, layer, priority = 0 }: OnCallEvent,
  occurrences: readonly ReferenceOccurrence[],
  names: readonly string[],
  first: number,
): readonly OnCallEvent[] {
  const made: OnCallEvent[] = [];
  for (const occurrence of occurrences.slice(0, 12)) {
    if (occurrence.isRemoved || random() > 0.2) continue;
    const createdAt = first + made.length;
    // An override that an override was made by is of the same series.
    const parentId = pick(random, [id, id, made.at(-1)?.id ?? id]);
    made.push({
      ...event({ id: `by-hand-${createdAt}`, createdAt, layer, priority }),
      ...{ seriesId: id, parentId },
      startAt: occurrence.startAt + Math.floor(random() * 4) * HOUR,
      endAt: occurrence.startAt + (5 + Math.floor(random() * 6)) * HOUR,
      attendees: random() < 0.1 ? [] : people(pick(random, [...names, "AB", "CD"])),
      leavesEmpty: random() < 0.5,
    });
  }
  return made;
}
