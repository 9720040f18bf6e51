/** Random rotations and roster changes, and their model for the slow reference. */

import type { FrequencyUnit, OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import type { EffectiveAt } from "../../../src/domain/oncall/rosters/effective-at.ts";
import type { NewRoster } from "../../../src/domain/oncall/rosters/roster-change.ts";
import { event } from "./oncall-makers.ts";
import type { Line, ReferenceOccurrence } from "./roster-reference.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5, 9);

export type Random = () => number;

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

type Rhythm = {
  readonly unit: FrequencyUnit;
  readonly every: number;
  readonly days: readonly number[];
  readonly length: number;
  readonly count: number;
};

const RHYTHMS: readonly Rhythm[] = [
  { unit: "daily", every: 1, days: [], length: DAY, count: 24 },
  { unit: "daily", every: 1, days: [1, 2, 3, 4, 5], length: 8 * HOUR, count: 24 },
  { unit: "weekly", every: 1, days: [], length: 7 * DAY, count: 14 },
  { unit: "weekly", every: 1, days: [1, 2, 3, 4, 5], length: 8 * HOUR, count: 40 },
  { unit: "weekly", every: 2, days: [1, 4], length: 30 * HOUR, count: 24 },
  { unit: "hourly", every: 12, days: [], length: 12 * HOUR, count: 40 },
  // Handovers overlap.
  { unit: "daily", every: 1, days: [], length: DAY + 2 * HOUR, count: 24 },
  { unit: "weekly", every: 1, days: [], length: 15 * DAY, count: 14 },
];

export type RandomSeries = {
  readonly series: OnCallEvent;
  readonly occurrences: readonly ReferenceOccurrence[];
  readonly until: number;
};

/** A series in UTC with its occurrences, computed by addition. */
export function randomSeries(random: Random, people: readonly string[]): RandomSeries {
  const rhythm = pick(random, RHYTHMS);
  const { unit, every, days, length, count } = rhythm;
  const occurrences: ReferenceOccurrence[] = [];
  const overlaps = length > (unit === "weekly" ? 7 * DAY : unit === "daily" ? DAY : 12 * HOUR);
  const step = unit === "hourly" ? every * HOUR : DAY;
  for (let k = 0, turn = 0; occurrences.length < 3 * count; k++) {
    const startAt = START + k * step;
    const day = new Date(startAt).getUTCDay();
    const block = Math.floor(k / (7 * every));
    const isInBlock = Math.floor(k / 7) % every === 0;
    const isOn =
      unit === "weekly"
        ? isInBlock && (days.length > 0 ? days.includes(day) : day === 1)
        : days.length === 0 || days.includes(day);
    if (!isOn) continue;
    const isRemoved = !overlaps && random() < 0.08;
    const own = unit === "weekly" ? block : turn;
    occurrences.push({ startAt, endAt: startAt + length, turn: own, isRemoved });
    turn++;
  }
  const roster = randomRoster(random, people);
  const rule = event({
    startAt: START,
    endAt: START + length,
    repeat: true,
    frequency: every,
    frequencyUnit: unit,
    daysOfWeek: days,
  });
  const removed = occurrences.filter((it) => it.isRemoved);
  const exceptions = removed.map(({ startAt }) => ({ id: `exception-${startAt}`, startAt }));
  const series = { ...rule, ...roster, exceptions };
  // A change may wait for a full rotation: the occurrences go on after the window.
  return { series, occurrences, until: occurrences[count]?.startAt ?? START };
}

/** A roster of some of the people, each once; some share a position, some positions are empty. */
export function randomRoster(random: Random, people: readonly string[]): NewRoster {
  const some = people.filter(() => random() < 0.6).sort(() => random() - 0.5);
  const named = some.length > 0 ? some : people.slice(0, 1);
  const line: string[][] = [];
  for (const person of named) {
    if (random() < 0.05 && line.every((it) => it.length > 0)) line.push([]);
    if (random() < 0.15 && line.at(-1)?.length) line.at(-1)?.push(person);
    else line.push([person]);
  }
  return rosterOfLine(line, random() < 0.9);
}

export const rosterOfLine = (line: Line, rotation: boolean): NewRoster => ({
  rotation,
  attendees: line.flatMap((people, position) =>
    people.map((attendeeId) => ({
      id: `row-${attendeeId}`,
      attendeeId,
      attendeeType: "AccountUser" as const,
      position,
    })),
  ),
  emptyPositions: line.flatMap((people, position) => (people.length === 0 ? [position] : [])),
});

/** The positions of a roster, as the reference reads them. */
export function lineOf({ attendees, emptyPositions = [] }: NewRoster): Line {
  const most = Math.max(-1, ...emptyPositions, ...attendees.map(({ position }) => position));
  return Array.from({ length: most + 1 }, (_, position) =>
    attendees.filter((it) => it.position === position).map(({ attendeeId }) => attendeeId),
  );
}

export function randomWhen(random: Random, now: number): EffectiveAt {
  const words = ["now", "next_handoff", "after_full_rotation"] as const;
  return random() < 0.3 ? now + upTo(random, 12 * 24) * HOUR : pick(random, words);
}
