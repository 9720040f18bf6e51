// Measures the on-call calculation in Node, for events that began yesterday and twenty years ago, and
// recurrence libraries for the same starts. The budgets are ratios, since times depend on the
// machine.
import { Temporal } from "@js-temporal/polyfill";
import rruleLibrary from "rrule";
import { RRuleTemporal } from "rrule-temporal";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallAt, onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";
import { line, summary } from "../measure.ts";

const { RRule } = rruleLibrary;

const EVENTS = 100;
const ROUNDS = 60;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = "America/New_York";
const NOW = Date.UTC(2026, 4, 20, 15, 30);
const MONTH = [NOW, NOW + 30 * DAY] as const;

/** Daily rotations of five people that start at different hours. */
function rotations(begunDaysAgo: number): OnCallEvent[] {
  const attendees = Array.from({ length: 5 }, (_, position) => ({
    id: `attendee-${position}`,
    attendeeId: `person-${position}`,
    attendeeType: "AccountUser" as const,
    position,
  }));
  return Array.from({ length: EVENTS }, (_, i) => {
    const startAt = NOW - begunDaysAgo * DAY - (i % 24) * HOUR;
    return {
      id: `event-${i}`,
      createdAt: 0,
      seriesId: `event-${i}`,
      parentId: null,
      startAt,
      endAt: startAt + DAY,
      layer: 1 + (i % 3),
      timeZone: ZONE,
      repeat: true,
      frequency: 1,
      frequencyUnit: "daily",
      daysOfWeek: [],
      repeatEndAt: null,
      cutAt: null,
      rotation: true,
      attendees,
      exceptions: [],
    };
  });
}

const CHANGES = 500;

/** The same event after many changes of its people. */
const oftenChanged = (event: OnCallEvent): OnCallEvent => ({
  ...event,
  earlierRosters: Array.from({ length: CHANGES }, (_, i) => ({
    rotation: true,
    turnOffset: i % 5,
    attendees: event.attendees,
    emptyPositions: [],
    untilAt: NOW - (CHANGES - i) * 14 * DAY,
    cuts: null,
  })),
});

/**
 * A library's queries, each from the stored event: the last shift that began until now, or the
 * shifts of a month. Shifts end a day later on the wall clock; attendees are not computed.
 */
type Library = {
  readonly name: string;
  /** The number of events that are measured; the time is scaled to all events. */
  readonly sample: number;
  readonly last: (event: OnCallEvent) => unknown;
  readonly month: (event: OnCallEvent) => unknown;
};

/** The common interface of two implementations of Temporal. */
type Moment = {
  readonly epochMilliseconds: number;
  readonly add: (length: { days: number }) => { readonly epochMilliseconds: number };
};

const withEnd = (start: Moment | null) =>
  start && [start.epochMilliseconds, start.add({ days: 1 }).epochMilliseconds];

const byTemporal = ({ startAt, frequency }: OnCallEvent) =>
  new RRuleTemporal({
    rruleString: `FREQ=DAILY;INTERVAL=${frequency}`,
    dtstart: Temporal.Instant.fromEpochMilliseconds(startAt).toZonedDateTimeISO(ZONE),
  });

const byRRule = ({ startAt, frequency }: OnCallEvent) =>
  new RRule({
    freq: RRule.DAILY,
    interval: frequency ?? 1,
    dtstart: new Date(startAt),
    tzid: ZONE,
  });

const [FROM, TO] = MONTH.map((at) => new Date(at)) as [Date, Date];

const LIBRARIES: readonly Library[] = [
  {
    name: "rrule-temporal",
    sample: EVENTS,
    last: (event) => withEnd(byTemporal(event).previous(FROM, true)),
    month: (event) => byTemporal(event).between(FROM, TO, true).map(withEnd),
  },
  {
    // It iterates all twenty years, which takes seconds per event. It does not compute ends on the
    // wall clock, which is insignificant compared with that.
    name: "rrule",
    sample: 1,
    last: (event) => byRRule(event).before(FROM, true),
    month: (event) => byRRule(event).between(FROM, TO, true),
  },
];

/** The median time of a run (ms), after a warm-up if there are several. */
function median(rounds: number, run: () => unknown): number {
  if (rounds > 1) run();
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const started = performance.now();
    run();
    times.push(performance.now() - started);
  }
  return summary(times).median;
}

const short = (time: number) => `${time.toFixed(time < 10 ? 3 : 0)} ms`;
const times = (one: number, other: number) => `${(one / other).toFixed(1)} x`;

/** Prints the section. Throws if this implementation or a library finds nothing. */
export function benchOnCall(): void {
  const recent = rotations(1);
  const old = rotations(20 * 365);
  if (onCallAt(scheduleOf(old), NOW).length !== EVENTS)
    throw new Error("nobody is on call for an event");
  for (const { name, last } of LIBRARIES) {
    if (!last(old[0] as OnCallEvent)) throw new Error(`${name} found no start`);
  }
  console.log(`\nwho is on call, of ${EVENTS} rotating events`);
  const now = median(ROUNDS, () => onCallAt(scheduleOf(recent), NOW));
  console.log(line("now, begun a day ago", short(now), "<= 2 ms"));
  const since = median(ROUNDS, () => onCallAt(scheduleOf(old), NOW));
  const growth = `${short(since)} = ${times(since, now)}`;
  console.log(line("now, begun twenty years ago", growth, "<= 2 ms, about 1 x"));
  const changed = old.map(oftenChanged);
  const afterChanges = median(ROUNDS, () => onCallAt(scheduleOf(changed), NOW));
  const cost = `${short(afterChanges)} = ${times(afterChanges, since)}`;
  console.log(line(`the same after ${CHANGES} roster changes each`, cost, "<= 2 ms, about 1 x"));
  const month = median(ROUNDS, () => onCallBetween(scheduleOf(old), ...MONTH));
  console.log(line("a month's window, begun twenty years ago", short(month), "(printed)"));
  for (const { name, sample, last, month: between } of LIBRARIES) {
    const sampled = old.slice(0, sample);
    const scaled = (run: (event: OnCallEvent) => unknown) =>
      (median(sample === EVENTS ? 5 : 1, () => sampled.map(run)) * EVENTS) / sample;
    const libraryTime = scaled(last);
    const label = `now, by ${name}`;
    console.log(line(label, `${short(libraryTime)} = ${times(libraryTime, since)}`, ">= 20 x"));
    const window = scaled(between);
    const found = `${short(window)} = ${times(window, month)}`;
    console.log(line(`a month's window, by ${name}`, found, ">= 20 x"));
  }
}
