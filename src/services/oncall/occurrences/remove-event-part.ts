import type { PartRemoval } from "../../../contract/oncall/events/event-occurrence.ts";
import type { AmendEvent } from "../../../contract/oncall/events/event-parameters.ts";
import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import { type FamilyPatch, patchFamily } from "../../../db/oncall/events/event-patch.ts";
import { eventRecords } from "../../../db/oncall/events/event-records.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { decidePartRemoval } from "../../../domain/oncall/changes/part-removal.ts";
import { occurrenceAt } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { withOwnRows } from "../events/event-parameters.ts";
import { changeOfFamily } from "../events/family-change.ts";
import { readFamily } from "../events/read-family.ts";

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
  const { actor, now } = context;
  return retryOnConflict(async () => {
    const { stored } = await readFamily(context, identifier);
    if (!stored) return notFound("event");
    const { family, record: before } = stored;
    const { id, exceptions } = family.event;
    const isRemoved = exceptions.some(({ startAt }) => startAt === actionAt);
    if (isRemoved) return { event_id: id, events_kept: [] };
    const removal = removePart(family, actionAt, now);
    if (isRefusal(removal)) return removal;
    const { patch, kept } = removal;
    const { writes, events } = patchFamily(actor.accountId, family, patch, now);
    const onCall = changeOfFamily(family, events);
    const change = { verb: "remove_part", records: eventRecords, id, before, writes, onCall };
    await commitChange(context, change);
    return { event_id: patch.event?.id ?? null, events_kept: kept };
  });
}

type Removal = { readonly patch: FamilyPatch; readonly kept: readonly string[] };

function removePart(family: EventFamily, actionAt: number, now: number): Removal | Refusal {
  const { event, overrides } = family;
  const shown = occurrenceAt(event, overrides, actionAt);
  if (!shown) return refuseOccurrence(event, actionAt);
  const decided = decidePartRemoval(event, overrides, shown);
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
