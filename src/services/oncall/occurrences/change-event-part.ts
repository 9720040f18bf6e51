// Removes or moves one part of an occurrence, together with what that does to the others.
import type { PartMove, PartRemoval } from "../../../contract/oncall/events/event-occurrence.ts";
import type {
  AmendEvent,
  MoveEventPart,
} from "../../../contract/oncall/events/event-parameters.ts";
import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import { type FamilyPatch, patchFamily } from "../../../db/oncall/events/event-patch.ts";
import { eventRecords } from "../../../db/oncall/events/event-records.ts";
import { readLeavers } from "../../../db/people/present-people.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { first } from "../../../db/shared/select.ts";
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { decidePartRemoval, movedPart } from "../../../domain/oncall/changes/part-removal.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import {
  type OccurrenceWithParts,
  occurrenceAt,
} from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { withOwnRows } from "../events/event-parameters.ts";
import { changeOfFamily } from "../events/family-change.ts";
import { readFamily } from "../events/read-family.ts";
import { refuseImported } from "../imports/refuse-imported.ts";

/**
 * Removes one part of an occurrence that overrides split. Nobody is on call in its hours; the other
 * parts and the overrides become plain shifts. Repeating a request changes nothing.
 *
 * @returns the event, if it is left, and the plain shifts; 404; 409 when the family changes at the
 *   same time; 422 when there is no such part
 */
export function removeEventPart(
  context: Context,
  identifier: Identifier,
  { action_time: actionAt }: AmendEvent,
): Promise<PartRemoval | Refusal> {
  return retryOnConflict(async () => {
    const stored = await readChangeable(context, identifier);
    if (isRefusal(stored)) return stored;
    const { event } = stored.family;
    if (isRemovedAt(event, actionAt)) return { event_id: event.id, events_kept: [] };
    return changePart(context, stored, { verb: "remove_part", actionAt, moved: () => null });
  });
}

/**
 * Moves one part of an occurrence, with its people, to other hours: it becomes a plain shift. The
 * rest is as after its removal.
 *
 * @param id the ULID of the plain shift
 * @returns the event, if it is left, the plain shifts that the rest became, and the moved one; 404;
 *   409 when the family changes at the same time, or the occurrence was removed or moved before; 422
 *   when there is no such part, nobody serves it, or the hours are invalid
 */
export function moveEventPart(
  context: Context,
  identifier: Identifier,
  id: string,
  { action_time: actionAt, start_datetime: startAt, end_datetime: endAt }: MoveEventPart,
): Promise<PartMove | Refusal> {
  return retryOnConflict(async () => {
    const stored = await readChangeable(context, identifier);
    const changed = isRefusal(stored)
      ? stored
      : await changePart(context, stored, {
          verb: "move_part",
          actionAt,
          moved: (event, shown) => movedPart(event, shown, { id, startAt, endAt }),
        });
    if (isRefusal(changed)) return (await movedBefore(context, identifier, id)) ?? changed;
    return { ...changed, moved_event_id: id };
  });
}

/** The answer to a request whose key has moved the part before, but whose answer was not stored. */
async function movedBefore(
  { db, actor }: Context,
  identifier: Identifier,
  id: string,
): Promise<PartMove | null> {
  const select = (by: Identifier) => first(db, selectRecord(eventRecords, actor.accountId, by));
  const moved = await select({ form: "id", value: id });
  if (!moved) return null;
  const event = await select(identifier);
  return { event_id: event?.id ?? null, events_kept: [], moved_event_id: id };
}

/** Whether the occurrence that starts then (epoch ms) was removed. */
const isRemovedAt = ({ exceptions }: OnCallEvent, at: number): boolean =>
  exceptions.some(({ startAt }) => startAt === at);

type Stored = NonNullable<Awaited<ReturnType<typeof readFamily>>["stored"]>;

async function readChangeable(context: Context, identifier: Identifier): Promise<Stored | Refusal> {
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  return refuseImported(stored.family) ?? stored;
}

const GONE = refuse("conflict", "the shift at action_time was removed or moved before");

type PartChange = {
  readonly verb: "remove_part" | "move_part";
  /** The start of the part, epoch ms. */
  readonly actionAt: number;
  /** The part at its new hours; null: it is only removed. */
  readonly moved: (event: OnCallEvent, shown: OccurrenceWithParts) => OnCallEvent | null | Refusal;
};

async function changePart(
  context: Context,
  { family, record: before }: Stored,
  { verb, actionAt, moved: move }: PartChange,
): Promise<PartRemoval | Refusal> {
  const { actor, now } = context;
  const { event, overrides, above, absences, past } = family;
  const shown = occurrenceAt(event, overrides, actionAt, absences, { above, past });
  if (!shown) return isRemovedAt(event, actionAt) ? GONE : refuseOccurrence(event, actionAt);
  const moved = move(event, shown);
  if (isRefusal(moved)) return moved;
  const served = [shown, ...shown.ownParts].flatMap(({ attendees }) => attendees);
  const people = served.map(({ attendeeId }) => attendeeId);
  const left = await readLeavers(context.db, actor.accountId, people);
  if (moved?.attendees.some(({ attendeeId }) => left.has(attendeeId))) return LEFT;
  const { patch, kept } = withoutPart(family, shown, left, now);
  const like = { id: event.id, isAsOld: false };
  const added = moved === null ? [] : [{ event: withOwnRows(moved, now), like }];
  const whole = { ...patch, added: [...patch.added, ...added] };
  const { writes, events } = patchFamily(actor.accountId, family, whole, now);
  const onCall = changeOfFamily(family, events);
  const change = { verb, records: eventRecords, id: event.id, before, writes, onCall };
  await commitChange(context, change);
  return { event_id: patch.event?.id ?? null, events_kept: kept };
}

const LEFT = refuse(
  "invalid",
  "action_time: somebody who served this part has left the account",
  "action_time",
);

type Removal = { readonly patch: FamilyPatch; readonly kept: readonly string[] };

function withoutPart(
  { event, overrides }: EventFamily,
  shown: OccurrenceWithParts,
  left: ReadonlySet<string>,
  now: number,
): Removal {
  const decided = decidePartRemoval(event, overrides, shown, left);
  const added = decided.added.map((part) => ({
    event: withOwnRows({ ...part, id: newId(now) }, now),
    like: { id: part.id, isAsOld: part.id !== event.id || event.parentId !== null },
  }));
  const { exceptionAt } = decided;
  const removed = exceptionAt === null ? [] : [{ id: newId(now), startAt: exceptionAt }];
  const changed = decided.event && {
    ...decided.event,
    exceptions: [...decided.event.exceptions, ...removed],
  };
  const patch: FamilyPatch = {
    event: changed,
    // What is left of a former roster's override goes back to it.
    attendeesChanged: earlierRostersOf(event).length > 0,
    exceptionsChanged: removed.length > 0,
    overrides: decided.changed,
    removed: decided.unserved,
    added,
  };
  const kept = [...decided.changed.map(({ id }) => id), ...added.map((it) => it.event.id)];
  return { patch, kept };
}
