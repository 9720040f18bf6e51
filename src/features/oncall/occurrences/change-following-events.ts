import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import type { Select } from "../../../kernel/db/select.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import type { Event } from "../events/contract.ts";
import { withOwnRows } from "../events/event-input.ts";
import { eventRecords } from "../events/event-records.ts";
import { type FamilyPatch, patchFamily } from "../events/event-rows.ts";
import { changeOfFamily } from "../events/family-change.ts";
import type { ChangeFollowingEvents } from "../events/parameters.ts";
import { effectOf, unchanged } from "../on-call/on-call-effect.ts";
import type { EventWithFollowingEffects } from "./contract.ts";
import { type ExtensibleChange, readAndDecide } from "./decide-following.ts";
import { showEffects } from "./show-effects.ts";

type FollowingDecision =
  | Decision<"Event", EventWithFollowingEffects, readonly [Select<Event>]>
  | Unwritten<EventWithFollowingEffects>;

/**
 * Changes a series from one occurrence on, in one transaction. The rotation continues; overrides stay
 * at their hours, and removed occurrences are preserved (contract 4, Changes of a series).
 *
 * @param id the ULID of the event that continues from there, unless the occurrence is the first
 * @returns the event that continues, with the effects; 404; 409 when the family changes at the same
 *   time; 422 when there is no such occurrence, for an invalid rule or unknown people
 */
export async function changeFollowingEvents(
  context: Context,
  identifier: Identifier,
  id: string,
  body: ChangeFollowingEvents,
): Promise<FollowingDecision | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const decided = await readAndDecide(context, identifier, id, body);
  if (isRefusal(decided)) return decided;
  const { family, record, change } = decided;
  if (change === null) return unchanged({ ...record, ...showEffects(null) });
  const patched = patchFamily(accountId, family, patchOf(change, body, now), now);
  const continuing = selectRecord(eventRecords, accountId, {
    form: "id",
    value: change.after.id,
  });
  return {
    verb: "change_following",
    records: eventRecords,
    id: family.event.id,
    before: record,
    writes: patched.writes,
    onCall: effectOf(changeOfFamily(family, patched)),
    reads: [continuing],
    answer: ({ rows: [[after]] }) =>
      after ? { ...after, ...showEffects(change) } : notFound("event"),
  };
}

/** The change as a patch of the event family; new events get new row ids. */
function patchOf(change: ExtensibleChange, body: ChangeFollowingEvents, now: number): FamilyPatch {
  const { before, after, extending, removed, versions } = change;
  const { meta } = body;
  if (!before) {
    return {
      event: after,
      meta,
      attendeesChanged: true,
      exceptionsChanged: true,
      removed,
      versions,
    };
  }
  const added = [
    { event: withOwnRows(after, now), meta },
    ...extending.map((event) => ({ event })),
  ];
  return { event: before, removed, added, versions };
}
