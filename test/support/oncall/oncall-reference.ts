/**
 * A reference implementation of the on-call rules, slow and simple: iterates every occurrence from
 * the event's start with Temporal. Shares no code with the implementation under test.
 */

import { Temporal } from "@js-temporal/polyfill";
import type { FrequencyUnit, OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { ianaZone } from "../../../src/domain/shared/time-zones.ts";

export type ReferenceShift = {
  readonly startAt: number;
  readonly endAt: number;
  readonly who: string;
};

type Candidate = {
  readonly start: Temporal.PlainDateTime;
  readonly turn: number;
  readonly step: number;
};

/**
 * Every shift of an event, ignoring overrides, with a nominal date of at most one day after `until`
 * (epoch ms).
 */
export function referenceShifts(event: OnCallEvent, until: number): ReferenceShift[] {
  const zone = ianaZone(event.timeZone);
  const first = zoned(event.startAt, zone);
  const limit = zoned(until, zone).toPlainDateTime().add({ days: 2 });
  const shifts: ReferenceShift[] = [];
  for (const candidate of candidates(event, first.toPlainDateTime(), limit)) {
    const interval = intervalOf(event, zone, candidate);
    if (!interval || interval.endAt <= interval.startAt) continue;
    if (event.cutAt !== null && interval.startAt >= event.cutAt) continue;
    if (event.beginsAt && interval.startAt < event.beginsAt) continue;
    if (event.exceptions.some((exception) => exception.startAt === interval.startAt)) continue;
    shifts.push({ ...interval, who: attendeesAt(event, candidate.turn) });
  }
  return shifts;
}

function* candidates(
  event: OnCallEvent,
  start: Temporal.PlainDateTime,
  limit: Temporal.PlainDateTime,
): Generator<Candidate> {
  if (!event.repeat) {
    yield { start, turn: 0, step: 0 };
    return;
  }
  const every = event.frequency ?? 1;
  const allowed = (date: Temporal.PlainDateTime) =>
    event.daysOfWeek.length === 0 || event.daysOfWeek.includes(date.dayOfWeek % 7);
  let turn = 0;
  for (let step = 0; ; step++) {
    const base = start.add(nominalStep(event.frequencyUnit, every * step));
    if (Temporal.PlainDateTime.compare(base, limit) > 0) return;
    if (event.frequencyUnit === "weekly" && event.daysOfWeek.length > 0) {
      for (let day = 0; day < 7; day++) {
        const date = base.add({ days: day });
        if (allowed(date) && withinRepeat(event, date)) yield { start: date, turn: step, step };
      }
      continue;
    }
    if (event.frequencyUnit === "daily" && !allowed(base)) continue;
    if (event.frequencyUnit === "hourly") yield { start: base, turn: step, step };
    else if (withinRepeat(event, base)) yield { start: base, turn: turn++, step };
  }
}

function nominalStep(unit: FrequencyUnit | null, amount: number): Temporal.DurationLike {
  switch (unit) {
    case "hourly":
      return { hours: amount };
    case "daily":
      return { days: amount };
    case "weekly":
      return { weeks: amount };
    case "monthly":
      return { months: amount };
    default:
      return { years: amount };
  }
}

function withinRepeat(event: OnCallEvent, date: Temporal.PlainDateTime): boolean {
  if (event.repeatEndAt === null) return true;
  const last = zoned(event.repeatEndAt, ianaZone(event.timeZone)).toPlainDate();
  return Temporal.PlainDate.compare(date.toPlainDate(), last) <= 0;
}

function intervalOf(event: OnCallEvent, zone: string, { start, step }: Candidate) {
  const first = zoned(event.startAt, zone).toPlainDateTime();
  if (event.frequencyUnit === "hourly" && event.repeat) {
    const startAt = event.startAt + step * (event.frequency ?? 1) * 3_600_000;
    const local = zoned(startAt, zone).toPlainDateTime();
    return withinRepeat(event, local)
      ? { startAt, endAt: startAt + event.endAt - event.startAt }
      : null;
  }
  if (start.equals(first)) return { startAt: event.startAt, endAt: event.endAt };
  const end = nominalEnd(event, zone, start, step);
  if (isSkipped(start.toPlainDate(), zone)) {
    const resumes = startOfNextRealDay(start.toPlainDate(), zone);
    if (Temporal.PlainDateTime.compare(end, resumes) <= 0) return null;
  }
  return {
    startAt: start.toZonedDateTime(zone).epochMilliseconds,
    endAt: end.toZonedDateTime(zone).epochMilliseconds,
  };
}

function nominalEnd(
  event: OnCallEvent,
  zone: string,
  start: Temporal.PlainDateTime,
  step: number,
): Temporal.PlainDateTime {
  const first = zoned(event.startAt, zone).toPlainDateTime();
  const firstEnd = zoned(event.endAt, zone).toPlainDateTime();
  if (Temporal.PlainDateTime.compare(firstEnd, first) <= 0) {
    return start.add({ milliseconds: event.endAt - event.startAt });
  }
  if (event.frequencyUnit === "monthly" || event.frequencyUnit === "yearly") {
    for (let months = 1; months <= 60; months++) {
      if (!first.add({ months }).equals(firstEnd)) continue;
      const perStep = (event.frequency ?? 1) * (event.frequencyUnit === "yearly" ? 12 : 1);
      return first.add({ months: perStep * step + months });
    }
  }
  const { days } = first.toPlainDate().until(firstEnd.toPlainDate(), { largestUnit: "days" });
  return start.toPlainDate().add({ days }).toPlainDateTime(firstEnd.toPlainTime());
}

function isSkipped(date: Temporal.PlainDate, zone: string): boolean {
  return !date.toZonedDateTime(zone).toPlainDate().equals(date);
}

function startOfNextRealDay(date: Temporal.PlainDate, zone: string): Temporal.PlainDateTime {
  let next = date.add({ days: 1 });
  while (isSkipped(next, zone)) next = next.add({ days: 1 });
  return next.toPlainDateTime();
}

function attendeesAt(event: OnCallEvent, turn: number): string {
  const names = event.attendees
    .toSorted((one, other) => one.position - other.position)
    .map((attendee) => attendee.attendeeId);
  return event.rotation && event.repeat ? (names[turn % names.length] ?? "") : names.join("");
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

/**
 * Whether an override replaces an event at an instant (epoch ms): any override of its series, of
 * which an older one is replaced by each newer one.
 */
export function isReplacedAt(
  events: readonly OnCallEvent[],
  event: OnCallEvent,
  at: number,
): boolean {
  const age = ({ createdAt, id }: OnCallEvent) => `${String(createdAt).padStart(16, "0")} ${id}`;
  return events.some(
    (it) =>
      it.parentId !== null &&
      it.seriesId === event.seriesId &&
      (it.attendees.length > 0 || it.leavesEmpty) &&
      it.startAt <= at &&
      at < it.endAt &&
      (event.parentId === null || age(it) > age(event)),
  );
}

/** The version of an override's series that counts when it begins: the last begun, else the first. */
export function versionOf(events: readonly OnCallEvent[], override: OnCallEvent): OnCallEvent {
  const begin = (it: OnCallEvent) => it.beginsAt ?? it.startAt;
  const versions = events
    .filter((it) => it.parentId === null && it.seriesId === override.seriesId)
    .toSorted((one, other) => begin(one) - begin(other) || one.createdAt - other.createdAt);
  return versions.findLast((it) => begin(it) <= override.startAt) ?? versions[0] ?? override;
}
