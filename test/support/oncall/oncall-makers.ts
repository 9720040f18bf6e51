/**
 * Events for the tests of the on-call calculation, and readable texts of their entries. Parses and
 * formats times with Temporal and `Date.parse`, never with the code under test.
 */

import { Temporal } from "@js-temporal/polyfill";
import type { OnCallAttendee, OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import type { OnCallEntry } from "../../../src/domain/oncall/oncall.ts";

/** Epoch ms of `2026-03-05T09:00-05:00`. */
export function at(iso: string): number {
  const instant = Date.parse(iso);
  if (Number.isNaN(instant) || !/(Z|[+-]\d\d:\d\d)$/.test(iso)) throw new Error(`not ISO: ${iso}`);
  return instant;
}

/** For changes of a series whose new people serve from its first changed occurrence on. */
export const FROM_START = { from: 0, replacesPlanned: false, newId: () => "row" };

/** Attendees named by the letters of `names`, in that order. */
export function people(names: string): OnCallAttendee[] {
  return [...names].map((name, index) => ({
    id: `row-${name}`,
    attendeeId: name,
    attendeeType: "AccountUser",
    position: index + 1,
  }));
}

export type EventOptions = Partial<Omit<OnCallEvent, "attendees" | "exceptions">> & {
  readonly start?: string;
  readonly end?: string;
  readonly who?: string;
  readonly exceptAt?: readonly string[];
};

/**
 * An event; by default a single one on layer 1 in UTC for A. `start` and `end` are ISO. An override is
 * of its parent's series unless that is an override too: then say of which.
 */
export function event(options: EventOptions): OnCallEvent {
  const { start, end, who = "A", exceptAt = [], ...fields } = options;
  return {
    id: "event",
    createdAt: 0,
    seriesId: fields.parentId ?? fields.id ?? "event",
    parentId: null,
    startAt: 0,
    endAt: 0,
    layer: 1,
    timeZone: "UTC",
    repeat: fields.frequencyUnit !== undefined,
    frequency: fields.frequencyUnit === undefined ? null : 1,
    frequencyUnit: null,
    daysOfWeek: [],
    repeatEndAt: null,
    cutAt: null,
    rotation: false,
    attendees: people(who),
    exceptions: exceptAt.map((iso, index) => ({ id: `exception-${index}`, startAt: at(iso) })),
    ...fields,
    ...(start === undefined ? {} : { startAt: at(start) }),
    ...(end === undefined ? {} : { endAt: at(end) }),
  };
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** `Fri 2026-03-06 09:00-05:00` */
export function read(instant: number, zone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const clock = time.toPlainTime().toString({ smallestUnit: "minute" });
  return `${WEEKDAYS[time.dayOfWeek - 1]} ${time.toPlainDate()} ${clock}${time.offset}`;
}

/**
 * `Fri 2026-03-06 09:00-05:00 | Sat 2026-03-07 09:00-05:00 | AB` for each entry, in an IANA zone.
 */
export function readAll(entries: readonly OnCallEntry[], zone: string): string[] {
  return entries.map(({ startAt, endAt, attendees }) => {
    const names = attendees.map((attendee) => attendee.attendeeId).join("");
    return `${read(startAt, zone)} | ${read(endAt, zone)} | ${names}`;
  });
}
