/**
 * Decides which overrides the covers of an account have, and how to get there from those that are
 * stored. Deciding again without a change in between changes nothing. Pure.
 */

import type { OnCallEvent } from "../on-call-event.ts";
import { type Cover, inOrder } from "./cover.ts";
import {
  attendeesOf,
  type CoverPart,
  type CoverParts,
  decideCoverParts,
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

/**
 * @param placed the events that may serve from `now` on
 * @param covers all covers; overrides of a cover that is not among them are taken back
 * @param now epoch ms: who was on call before stays
 * @param newId makes an id of an event or an attendee
 */
export function planCovers(
  placed: PlacedEvents,
  covers: readonly Cover[],
  now: number,
  newId: () => string,
): CoverPlan {
  const stored = placed.events.filter((event) => isPartOfCover(event) && event.endAt > now);
  const schedulesOf = new Map(placed.schedulesOf);
  let events = withoutOverrides(placed.events, new Set(stored.map(({ id }) => id)));
  const decided = new Map<string, CoverParts>();
  const kept: OnCallEvent[] = [];
  const added: OnCallEvent[] = [];
  const earlier: Cover[] = [];
  for (const cover of inOrder(covers)) {
    const decision = decideCoverParts(cover, { events, schedulesOf }, earlier, now);
    const own = stored.filter(({ coverId }) => coverId === cover.id);
    const made = decision.parts.map((part) => {
      const same = own.find((override) => isSame(override, part, cover, now));
      if (same) kept.push(same);
      else {
        added.push(overrideOf(part, cover, now, newId));
        schedulesOf.set(added.at(-1)?.id ?? "", schedulesOf.get(part.event.id) ?? []);
      }
      return same ?? added.at(-1);
    });
    events = [...events, ...made.filter((it) => it !== undefined)];
    decided.set(cover.id, decision);
    earlier.push(cover);
  }
  const keptIds = new Set(kept.map(({ id }) => id));
  const gone = stored.filter(({ id }) => !keptIds.has(id));
  const cut = gone.filter(({ startAt }) => startAt < now).map((it) => ({ ...it, endAt: now }));
  const removed = gone.filter(({ startAt }) => startAt >= now).map(({ id }) => id);
  const before = new Map(placed.events.map((event) => [event.id, event]));
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

/** A plain shift that remains of a changed series is no longer part of the cover. */
const isPartOfCover = ({ coverId, parentId }: OnCallEvent): boolean =>
  Boolean(coverId) && parentId !== null;

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
function isSame(override: OnCallEvent, part: CoverPart, cover: Cover, now: number): boolean {
  const people = override.attendees.map(({ attendeeId }) => attendeeId);
  return (
    override.parentId === part.event.id &&
    Math.max(override.startAt, now) === part.startAt &&
    override.endAt === part.endAt &&
    override.layer === part.event.layer &&
    (override.leavesEmpty ?? false) === leavesEmpty(cover) &&
    people.toSorted().join() === part.people.toSorted().join()
  );
}

const leavesEmpty = ({ coveredBy }: Cover): boolean => coveredBy === "nobody";

function overrideOf(
  { event, startAt, endAt, occurrenceAt, people }: CoverPart,
  cover: Cover,
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
    repeat: false,
    frequency: null,
    frequencyUnit: null,
    daysOfWeek: [],
    repeatEndAt: null,
    cutAt: null,
    beginsAt: null,
    rotation: false,
    turnOffset: 0,
    emptyPositions: [],
    attendees: attendeesOf(people, newId),
    earlierRosters: [],
    restrictions: [],
    priority: event.priority ?? 0,
    coverId: cover.id,
    leavesEmpty: leavesEmpty(cover),
    exceptions: [],
  };
}
