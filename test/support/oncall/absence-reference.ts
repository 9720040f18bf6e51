/**
 * A reference of who is on call by absences, slow and simple: it decides one instant by itself, from what
 * the events contribute then. Shares no code with the implementation under test.
 */

import type { Absence } from "../../../src/domain/oncall/absences/absence.ts";
import { entriesBetween } from "../../../src/domain/oncall/event-entries.ts";
import type { OnCallEvent, Roster } from "../../../src/domain/oncall/on-call-event.ts";
import { versionOf } from "./oncall-reference.ts";
import type { ReferenceOccurrence } from "./roster-reference.ts";

type Occurrences = readonly ReferenceOccurrence[];

/** `1 event AB` for each event with people at an instant, sorted. */
export function referenceAt(
  events: readonly OnCallEvent[],
  occurrences: ReadonlyMap<string, Occurrences>,
  absences: readonly Absence[],
  at: number,
): readonly string[] {
  const running = (it: { startAt: number; endAt: number }) => it.startAt <= at && it.endAt > at;
  const byId = new Map(events.map((it) => [it.id, it]));
  const isAway = (id: string) => absences.some((it) => it.accountUserId === id && running(it));
  const isLast = ({ instead }: Absence) => instead === "nobody_yet";
  const begun = (it: Absence) => (isLast(it) ? (it.since ?? it.startAt) : 0);
  const order = (one: Absence, other: Absence) =>
    Number(isLast(one)) - Number(isLast(other)) ||
    begun(one) - begun(other) ||
    (one.id < other.id ? -1 : 1);
  const applying = absences.filter(running).sort(order);
  const all = entriesBetween(events, at, at + 1);
  const visible = all.filter(
    (it) => !all.some(({ layer, priority }) => layer === it.layer && priority > it.priority),
  );
  return visible
    .flatMap(({ eventId, layer, attendees, occurrenceAt }) => {
      const event = byId.get(eventId);
      if (!event) return [];
      const series = event.parentId === null ? event : versionOf(events, event);
      let who = attendees.map(({ attendeeId }) => attendeeId);
      const own = occurrences.get(series.id) ?? [];
      const line = (person: string, since: number) => {
        const [from = 0, ...later] = changesOf(series, occurrenceAt, at);
        const isTurn = event.parentId === null;
        const onTurn = isTurn ? onTurnAt(series, own, occurrenceAt) : [];
        const first = lineAfter(series, own, person, from).filter((id) => !onTurn.includes(id));
        // Each turn in the absence begins with the next one.
        const turns = isTurn ? turnsBetween(series, own, since, occurrenceAt) : 0;
        const shifted = first.map((_, index) => first[(index + turns) % first.length] ?? "");
        return later.reduce<readonly string[]>((before, instant) => {
          const now = lineAfter(series, own, person, instant);
          const stay = before.filter((id) => now.includes(id));
          return [...stay, ...now.filter((id) => !stay.includes(id))];
        }, shifted);
      };
      const named = new Set<string>();
      for (const absence of applying) {
        const { accountUserId: person, instead, coveringAccountUserId: covering } = absence;
        const isByHand = event.parentId !== null;
        if (!who.includes(person)) continue;
        if (absence.released?.some((it) => it.eventId === event.seriesId && running(it))) continue;
        const toggled = (series.skipChanges ?? []).filter((it) => it <= at).length;
        const skips = toggled % 2 === 1 && rosterOf(series, at).rotation;
        if (isLast(absence) ? isByHand || named.has(person) || !skips : false) continue;
        if (!isLast(absence) && isByHand && event.createdAt >= absence.decidedAt) continue;
        if (instead === "person" && covering === null) continue;
        const others = who.filter((id) => id !== person);
        const isFree = (id: string) => id !== person && !who.includes(id) && !isAway(id);
        const byRotation = instead === "next_in_line" || isLast(absence);
        const found = byRotation
          ? line(person, absence.since ?? absence.startAt).find(isFree)
          : covering;
        if (byRotation && !found && others.every(isAway)) continue;
        if (instead === "person" && covering) named.add(covering);
        who = [...new Set([...others, ...(found ? [found] : [])])];
      }
      return who.length === 0 ? [] : [`${layer} ${eventId} ${who.sort().join("")}`];
    })
    .sort();
}

/** The people of each position, in order. */
function positionsAt(series: OnCallEvent, at: number): readonly (readonly string[])[] {
  const { attendees, emptyPositions = [] } = rosterOf(series, at);
  const numbers = [...attendees.map(({ position }) => position), ...emptyPositions];
  return [...new Set(numbers)]
    .sort((one, other) => one - other)
    .map((at) => attendees.filter((it) => it.position === at).map((it) => it.attendeeId));
}

/** The people whose turn an occurrence is. */
function onTurnAt(series: OnCallEvent, all: Occurrences, occurrenceAt: number): readonly string[] {
  const positions = positionsAt(series, occurrenceAt);
  const { turnOffset = 0 } = rosterOf(series, occurrenceAt);
  const turn = (all.find(({ startAt }) => startAt === occurrenceAt)?.turn ?? 0) + turnOffset;
  return positions[((turn % positions.length) + positions.length) % positions.length] ?? [];
}

/** How many full rounds of a rotation lie between an instant and an occurrence. */
function turnsBetween(series: OnCallEvent, all: Occurrences, since: number, occurrenceAt: number) {
  const count = positionsAt(series, occurrenceAt).length;
  const first = all.findLast(({ startAt }) => startAt <= since) ?? all[0];
  const own = all.find(({ startAt }) => startAt === occurrenceAt);
  return first && own && count > 0 ? Math.max(0, Math.floor((own.turn - first.turn) / count)) : 0;
}

const rosterOf = (series: OnCallEvent, at: number): Roster =>
  (series.earlierRosters ?? []).find(({ untilAt }) => untilAt > at) ?? series;

/** The start of a turn, and when the people changed in it until an instant. */
const changesOf = ({ earlierRosters = [] }: OnCallEvent, from: number, at: number) => [
  from,
  ...earlierRosters.map(({ untilAt }) => untilAt).filter((it) => it > from && it <= at),
];

/** The people of a rotation, from the turn on that follows a person's at an instant. */
function lineAfter(series: OnCallEvent, all: Occurrences, person: string, at: number) {
  const roster = rosterOf(series, at);
  if (!roster.rotation) return [];
  const { turnOffset = 0 } = roster;
  const positions = positionsAt(series, at);
  const count = positions.length;
  const index = ({ turn }: ReferenceOccurrence) => (((turn + turnOffset) % count) + count) % count;
  const begun = all.filter(({ startAt }) => startAt <= at);
  const running = begun.filter(({ endAt }) => endAt > at);
  const own = running.find((it) => positions[index(it)]?.includes(person));
  const current = own ?? running.at(-1) ?? begun.at(-1);
  const next = current ? index(current) + 1 : 0;
  return [...positions.slice(next), ...positions.slice(0, next)].flat();
}
