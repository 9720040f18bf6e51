/**
 * Decides which overrides the covers of an account need, and its rotations that skip who is
 * unavailable, and how to get there from those that are stored. Deciding again without a change in
 * between changes nothing. Pure.
 */

import { type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import { type Absence, isSkip, timesAway } from "./absences.ts";
import { type Cover, inOrder } from "./cover.ts";
import {
  attendeesOf,
  type CoverPart,
  type CoverParts,
  decideCoverParts,
  decideSkippedParts,
  type PlacedEvents,
} from "./cover-parts.ts";

export type CoverPlan = {
  /** Ids of overrides of covers to delete. */
  readonly removed: readonly string[];
  /** Overrides with another end, or another parent. */
  readonly changed: readonly OnCallEvent[];
  readonly added: readonly OnCallEvent[];
  /** All events once the plan is stored. */
  readonly after: PlacedEvents;
  /** What was decided for each cover, by its id. */
  readonly decided: ReadonlyMap<string, CoverParts>;
};

/** Why an override exists. */
type Origin = Required<Pick<OnCallEvent, "coverId" | "absentAccountUserId" | "leavesEmpty">>;

/** A decision of the plan. Each sees what those before it did. */
type Step = {
  readonly origin: Origin;
  readonly decide: (placed: PlacedEvents) => CoverParts;
};

/**
 * Covers, which somebody made, apply before the absences that rotations skip.
 *
 * @param placed the events that may serve from `now` on
 * @param covers all covers; overrides of a cover that is not among them are taken back
 * @param now epoch ms: who was on call before stays
 * @param newId makes an id of an event or an attendee
 * @param absences when people are unavailable; as with covers, overrides of others are taken back
 */
export function planCovers(
  placed: PlacedEvents,
  covers: readonly Cover[],
  now: number,
  newId: () => string,
  absences: readonly Absence[] = [],
): CoverPlan {
  const stored = placed.events.filter((event) => isAutomatic(event) && event.endAt > now);
  const schedulesOf = new Map(placed.schedulesOf);
  let events = withoutOverrides(placed.events, new Set(stored.map(({ id }) => id)));
  const decided = new Map<string, CoverParts>();
  const kept: OnCallEvent[] = [];
  const added: OnCallEvent[] = [];
  for (const { origin, decide } of stepsOf(covers, absences, now)) {
    const decision = decide({ events, schedulesOf });
    const own = stored.filter((override) => isOf(override, origin));
    const made = decision.parts.map((part) => {
      const same = own.find((override) => isSame(override, part, origin, now));
      if (same) kept.push(same);
      else {
        added.push(overrideOf(part, origin, now, newId));
        schedulesOf.set(added.at(-1)?.id ?? "", schedulesOf.get(part.event.id) ?? []);
      }
      return same ?? added.at(-1);
    });
    events = [...events, ...made.filter((it) => it !== undefined)];
    if (origin.coverId !== null) decided.set(origin.coverId, decision);
  }
  const keptIds = new Set(kept.map(({ id }) => id));
  const gone = stored.filter(({ id }) => !keptIds.has(id));
  const cut = gone.filter(({ startAt }) => startAt < now).map((it) => ({ ...it, endAt: now }));
  const removed = gone.filter(({ startAt }) => startAt >= now).map(({ id }) => id);
  const before = new Map(placed.events.map((event) => [event.id, event]));
  const remaining = new Set([...keptIds, ...cut.map(({ id }) => id)]);
  events = events.map((event) => {
    // What is over stays as it was. Beside the override that it overrode it could be the older one.
    const was = event.endAt <= now ? before.get(event.id) : undefined;
    return was && remaining.has(was.parentId ?? "") ? was : event;
  });
  const moved = events.filter((event) => {
    const was = before.get(event.id);
    return was !== undefined && was.parentId !== event.parentId;
  });
  return {
    removed,
    changed: [...cut, ...moved],
    added,
    after: { events: [...events, ...cut], schedulesOf },
    decided,
  };
}

function stepsOf(
  covers: readonly Cover[],
  absences: readonly Absence[],
  now: number,
): readonly Step[] {
  const ordered = inOrder(covers);
  const unavailable = timesAway(absences);
  return [
    ...ordered.map((cover, index) => ({
      origin: {
        coverId: cover.id,
        absentAccountUserId: null,
        leavesEmpty: cover.coveredBy === "nobody",
      },
      decide: (placed: PlacedEvents) =>
        decideCoverParts(cover, placed, ordered.slice(0, index), unavailable, now),
    })),
    ...absences.map((absence) => ({
      origin: {
        coverId: null,
        absentAccountUserId: absence.accountUserId,
        leavesEmpty: false,
      },
      decide: (placed: PlacedEvents) =>
        decideSkippedParts(absence, placed, ordered, unavailable, now),
    })),
  ];
}

/** Whether a plan made an override. A plain shift that remains of a changed series is another's. */
const isAutomatic = (event: OnCallEvent): boolean =>
  (Boolean(event.coverId) && event.parentId !== null) || isSkip(event);

const isOf = (override: OnCallEvent, { coverId, absentAccountUserId }: Origin): boolean =>
  (override.coverId ?? null) === coverId &&
  (override.absentAccountUserId ?? null) === absentAccountUserId;

/** The events without some overrides; overrides of those override what they replaced. */
function withoutOverrides(
  events: readonly OnCallEvent[],
  ids: ReadonlySet<string>,
): readonly OnCallEvent[] {
  if (ids.size === 0) return events;
  const byId = new Map(events.map((event) => [event.id, event]));
  const raised = (event: OnCallEvent): OnCallEvent => {
    const parent = byId.get(event.parentId ?? "");
    if (!parent || !ids.has(parent.id)) return event;
    const { parentId, overriddenStartAt } = parent;
    return raised({ ...event, parentId, overriddenStartAt });
  };
  return events.filter(({ id }) => !ids.has(id)).map(raised);
}

/** Whether an override already does from `now` on what the part says. */
function isSame(override: OnCallEvent, part: CoverPart, origin: Origin, now: number): boolean {
  const people = override.attendees.map(({ attendeeId }) => attendeeId);
  return (
    override.parentId === part.event.id &&
    Math.max(override.startAt, now) === part.startAt &&
    override.endAt === part.endAt &&
    override.layer === part.event.layer &&
    (override.leavesEmpty ?? false) === origin.leavesEmpty &&
    people.toSorted().join() === part.people.toSorted().join()
  );
}

function overrideOf(
  { event, startAt, endAt, occurrenceAt, people }: CoverPart,
  origin: Origin,
  now: number,
  newId: () => string,
): OnCallEvent {
  return {
    id: newId(),
    createdAt: now,
    parentId: event.id,
    overriddenStartAt: occurrenceAt,
    startAt,
    endAt,
    layer: event.layer,
    timeZone: event.timeZone,
    ...SINGLE_SHIFT,
    attendees: attendeesOf(people, newId),
    priority: event.priority ?? 0,
    ...origin,
    exceptions: [],
  };
}
