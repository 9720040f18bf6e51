/**
 * Applies the absences of a schedule to who is on call: in the hours of an absence, those serve whom
 * it names instead. A substitute whom a rotation chooses is never somebody who is away. Pure.
 */

import { uniteHours } from "../intervals.ts";
import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { type Interval, subtractIntervals } from "../override-precedence.ts";
import { modulo } from "../recurrence/rotation.ts";
import { earlierRostersOf } from "../rosters/serving.ts";
import { isOverride, versionsOf } from "../series-versions.ts";
import { type Absence, type OnCallSchedule, sinceOf, skipsAwayAt } from "./absence.ts";
import { nextInLine, onTurn, turnsSince } from "./next-in-line.ts";

/** Somebody who would be on call but for an absence. */
export type AbsentPerson = { readonly accountUserId: string; readonly absenceId: string };

/** An occurrence, or a part of it, in which the same people serve. */
export type Served = Interval & {
  readonly eventId: string;
  /** The start (epoch ms) of the occurrence. */
  readonly occurrenceAt: number;
  /** The turn of the occurrence; not present: it is an override. */
  readonly turn?: number;
  readonly attendees: readonly OnCallAttendee[];
  /** Who is not on call by an absence; not present: nobody. */
  readonly absent?: readonly AbsentPerson[];
  /** Substitutes whom an absence names. */
  readonly named?: readonly string[];
};

/** Replaces absent people in parts of occurrences; those without anybody left stay, as empty. */
export function serveAbsences<Part extends Served>(
  parts: readonly Part[],
  schedule: OnCallSchedule,
): readonly Part[] {
  if (schedule.absences.length === 0) return parts;
  const lookup = lookupOf(schedule);
  return parts.flatMap((part) => joined(serveFrom(part, 0, lookup)));
}

type Ordered = { readonly order: number; readonly absence: Absence };

type Lookup = {
  readonly events: ReadonlyMap<string, OnCallEvent>;
  readonly versionAt: ReturnType<typeof versionsOf>;
  /** By person, in order. */
  readonly absences: ReadonlyMap<string, readonly Ordered[]>;
  /** When each person is away: disjoint, by start. */
  readonly away: ReadonlyMap<string, readonly Interval[]>;
};

function lookupOf({ events, absences }: OnCallSchedule): Lookup {
  const ordered = absences.map((absence, order) => ({ order, absence }));
  const byPerson = Map.groupBy(ordered, ({ absence }) => absence.accountUserId);
  const away = new Map<string, readonly Interval[]>();
  for (const [person, own] of byPerson) away.set(person, uniteHours(own.map((it) => it.absence)));
  const byId = new Map(events.map((it) => [it.id, it]));
  return { events: byId, versionAt: versionsOf(events), absences: byPerson, away };
}

/** A part after the absences from the `first` in order on. */
function serveFrom<Part extends Served>(part: Part, first: number, lookup: Lookup): Part[] {
  const next = nextAbsence(part, first, lookup);
  if (next === null) return [part];
  const hours = hoursOf(part, next.absence, lookup);
  const after = next.order + 1;
  const present = subtractIntervals(part, hours).flatMap((it) =>
    serveFrom({ ...part, ...it }, after, lookup),
  );
  const absent = hours.flatMap((it) =>
    substituted({ ...part, ...it }, next.absence, lookup).flatMap((served) =>
      serveFrom(served, after, lookup),
    ),
  );
  return [...present, ...absent].sort((one, other) => one.startAt - other.startAt);
}

function nextAbsence(
  { startAt, endAt, attendees }: Served,
  first: number,
  lookup: Lookup,
): Ordered | null {
  let next: Ordered | null = null;
  for (const { attendeeId } of attendees) {
    const found = lookup.absences
      .get(attendeeId)
      ?.find(
        ({ order, absence }) =>
          order >= first && absence.startAt < endAt && absence.endAt > startAt,
      );
    if (found && (next === null || found.order < next.order)) next = found;
  }
  return next;
}

/** The hours of a part that an absence applies to, by start. */
function hoursOf(part: Served, absence: Absence, lookup: Lookup): readonly Interval[] {
  const event = lookup.events.get(part.eventId);
  if (!event || !mayApply(part, event, absence)) return [];
  const hours = {
    startAt: Math.max(part.startAt, absence.startAt),
    endAt: Math.min(part.endAt, absence.endAt),
  };
  const series = lookup.versionAt(event, event.startAt) ?? event;
  const released = (absence.released ?? []).filter(({ eventId }) => eventId === event.seriesId);
  const applied = subtractIntervals(hours, uniteHours(released));
  if (absence.instead !== "nobody_yet") return applied;
  return applied.flatMap((it) =>
    splitAt(it, skipChangesOf(series)).filter(({ startAt }) => skipsAwayAt(series, startAt)),
  );
}

const skipChangesOf = (series: OnCallEvent): readonly number[] => [
  ...(series.skipChanges ?? []),
  ...earlierRostersOf(series).map(({ untilAt }) => untilAt),
];

/**
 * Whether it is for the absence to say who serves. An override by hand that is newer was made with
 * knowledge of it; a rotation only gives away what it gave itself.
 */
function mayApply(part: Served, event: OnCallEvent, absence: Absence): boolean {
  const isByHand = isOverride(event);
  if (absence.instead !== "nobody_yet") return !isByHand || event.createdAt < absence.decidedAt;
  return !isByHand && !part.named?.includes(absence.accountUserId);
}

/** A part in an absence, with who serves instead. */
function substituted<Part extends Served>(part: Part, absence: Absence, lookup: Lookup): Part[] {
  const { accountUserId, instead, coveringAccountUserId: covering } = absence;
  if (instead === "empty") return [withSubstitute(part, absence, null)];
  if (instead === "person") {
    return [covering === null ? part : withSubstitute(part, absence, covering)];
  }
  const event = lookup.events.get(part.eventId);
  if (!event) return [part];
  const series = lookup.versionAt(event, event.startAt) ?? event;
  const others = part.attendees.map((it) => it.attendeeId).filter((id) => id !== accountUserId);
  const isPresent = (id: string, hours: Interval) =>
    !lookup.away.get(id)?.some((it) => it.startAt < hours.endAt && it.endAt > hours.startAt);
  return candidatesAlong(part, series, absence).flatMap(({ candidates, ...hours }) => {
    const line = candidates.filter((id) => !others.includes(id));
    const edges = [...others, ...line].flatMap((id) => lookup.away.get(id) ?? []);
    return splitAt(
      hours,
      edges.flatMap(({ startAt, endAt }) => [startAt, endAt]),
    ).map((it): Part => {
      const piece = { ...part, ...it };
      const found = line.find((id) => isPresent(id, it)) ?? null;
      // If everybody is away, nobody is taken off: a page to one of them is better than none.
      const isFilled = found !== null || others.some((id) => isPresent(id, it));
      return isFilled ? withSubstitute(piece, absence, found) : piece;
    });
  });
}

/**
 * The line of a rotation in the hours of an occurrence, without the absent person. It is decided when
 * the turn begins, so that whoever serves goes on doing so when people join; those who leave the
 * rotation drop out of it. With each turn of the absence, it begins with the next one.
 */
function candidatesAlong(
  part: Served,
  series: OnCallEvent,
  absence: Absence,
): readonly (Interval & { readonly candidates: readonly string[] })[] {
  const { accountUserId } = absence;
  const { occurrenceAt, turn } = part;
  const changes = earlierRostersOf(series).map(({ untilAt }) => untilAt);
  const occurrence = turn === undefined ? null : { startAt: occurrenceAt, turn };
  const own = occurrence ? onTurn(series, occurrence) : [];
  const others = nextInLine(series, accountUserId, occurrenceAt, turn).filter(
    (id) => !own.includes(id),
  );
  let candidates = fromIndex(
    others,
    occurrence ? turnsSince(series, sinceOf(absence), occurrence) : 0,
  );
  const along = splitAt({ startAt: occurrenceAt, endAt: part.endAt }, changes).map((hours, at) => {
    if (at > 0) {
      const line = nextInLine(series, accountUserId, hours.startAt, turn);
      const kept = candidates.filter((id) => line.includes(id));
      const joined = line.filter((id) => id !== accountUserId && !kept.includes(id));
      candidates = [...kept, ...joined];
    }
    return { ...hours, startAt: Math.max(hours.startAt, part.startAt), candidates };
  });
  return along.filter(({ startAt, endAt }) => startAt < endAt);
}

/** The ids from an index on, and then those before. */
function fromIndex(ids: readonly string[], index: number): readonly string[] {
  const first = modulo(index, ids.length);
  return [...ids.slice(first), ...ids.slice(0, first)];
}

function withSubstitute<Part extends Served>(
  part: Part,
  { id, accountUserId, instead }: Absence,
  substitute: string | null,
): Part {
  const position = part.attendees.find((it) => it.attendeeId === accountUserId)?.position ?? 0;
  const others = part.attendees.filter((it) => it.attendeeId !== accountUserId);
  const isThere = others.some((it) => it.attendeeId === substitute);
  const added: readonly OnCallAttendee[] =
    substitute === null || isThere
      ? []
      : [{ id, attendeeId: substitute, attendeeType: "AccountUser", position }];
  const absent = [...(part.absent ?? []), { accountUserId, absenceId: id }];
  const isNamed = substitute !== null && instead === "person";
  const named = isNamed ? [...(part.named ?? []), substitute] : part.named;
  return { ...part, attendees: [...others, ...added], absent, ...(named && { named }) };
}

/** An interval in parts at the instants inside it. */
function splitAt({ startAt, endAt }: Interval, instants: readonly number[]): readonly Interval[] {
  const inside = instants.filter((at) => at > startAt && at < endAt);
  const edges = [...new Set([startAt, ...inside, endAt])].sort((one, other) => one - other);
  return edges.slice(1).map((at, index) => ({ startAt: edges[index] ?? startAt, endAt: at }));
}

/** Parts by start; those that touch, with the same people and the same absent ones, are one. */
function joined<Part extends Served>(parts: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.endAt === part.startAt && keyOf(last) === keyOf(part)) {
      result[result.length - 1] = { ...last, endAt: part.endAt };
    } else result.push(part);
  }
  return result;
}

const keyOf = ({ attendees, absent = [] }: Served): string =>
  JSON.stringify([
    attendees.map(({ attendeeId }) => attendeeId).sort(),
    absent.map(({ absenceId, accountUserId }) => `${absenceId} ${accountUserId}`),
  ]);
