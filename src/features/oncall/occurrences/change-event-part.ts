// Removes or moves one part of an occurrence.
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { decidePartRemoval, movedPart } from "../../../domain/oncall/changes/part-removal.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import {
  type OccurrencePart,
  type OccurrenceWithParts,
  occurrenceAt,
} from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { isOverride } from "../../../domain/oncall/series-versions.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import type { Change, Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { readLeavers } from "../../people/account-users/present-people.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import type { EventFamily } from "../events/event-family.ts";
import { withOwnRows } from "../events/event-input.ts";
import { eventRecords } from "../events/event-records.ts";
import { patchFamily } from "../events/event-rows.ts";
import { changeOfFamily } from "../events/family-change.ts";
import type { AmendEvent, MoveEventPart } from "../events/parameters.ts";
import { readFamily } from "../events/read-family.ts";
import { effectOf, unchanged } from "../on-call/on-call-effect.ts";
import type { PartMove, PartRemoval } from "./contract.ts";
import { newestOf } from "./create-override.ts";

/**
 * Removes one part of an occurrence. Nobody is on call in its hours; those of an override go back to
 * whom it replaced. Repeating a request changes nothing.
 *
 * @returns the event, if it is left, and the override that leaves the hours empty, if there is one;
 *   404; 409 when the family changes at the same time; 422 when there is no such part
 */
export async function removeEventPart(
  context: Context,
  identifier: Identifier,
  { action_time: actionAt }: AmendEvent,
): Promise<Decision<"Event", PartRemoval> | Unwritten<PartRemoval> | Refusal> {
  const stored = await readChangeable(context, identifier);
  if (isRefusal(stored)) return stored;
  const { family } = stored;
  const emptied = emptiedBy(family, actionAt);
  if (emptied) return unchanged({ event_id: family.event.id, override_id: emptied.id });
  const part = { verb: "remove_part", actionAt, moved: () => null } as const;
  const changed = await changePart(context, stored, part);
  if (isRefusal(changed)) return changed;
  const { change, removal } = changed;
  return { ...change, answer: () => removal };
}

/** The override that leaves hours empty from an instant on (epoch ms), where a part began. */
const emptiedBy = ({ series }: EventFamily, at: number): OnCallEvent | undefined =>
  series.find((it) => isOverride(it) && it.leavesEmpty && it.startAt === at);

/**
 * Moves one part of an occurrence, with its people, to other hours: it becomes a plain shift. The
 * rest is as after its removal.
 *
 * @param id the ULID of the plain shift
 * @returns as the removal, and the moved shift; 404; 409 when the family changes at the same time, or
 *   the part was removed or moved before; 422 when there is no such part, nobody serves it, or the
 *   hours are invalid
 */
export async function moveEventPart(
  context: Context,
  identifier: Identifier,
  id: string,
  { action_time: actionAt, start_datetime: startAt, end_datetime: endAt }: MoveEventPart,
): Promise<Decision<"Event", PartMove> | Unwritten<PartMove> | Refusal> {
  const stored = await readChangeable(context, identifier);
  const changed = isRefusal(stored)
    ? stored
    : await changePart(context, stored, {
        verb: "move_part",
        actionAt,
        moved: (event, shown) => movedPart(event, shown, { id, startAt, endAt }),
      });
  if (isRefusal(changed)) {
    const moved = await movedBefore(context, identifier, id, actionAt);
    return moved ? unchanged(moved) : changed;
  }
  const { change, removal } = changed;
  return { ...change, answer: () => ({ ...removal, moved_event_id: id }) };
}

/** The answer to a request whose key has moved the part before, but whose answer was not stored. */
async function movedBefore(
  context: Context,
  identifier: Identifier,
  id: string,
  actionAt: number,
): Promise<PartMove | null> {
  const { db, actor } = context;
  const moved = await first(
    db,
    selectRecord(eventRecords, actor.accountId, { form: "id", value: id }),
  );
  if (!moved) return null;
  const { stored } = await readFamily(context, identifier);
  const emptied = stored && emptiedBy(stored.family, actionAt);
  return {
    event_id: stored?.record.id ?? null,
    override_id: emptied?.id ?? null,
    moved_event_id: id,
  };
}

type Stored = NonNullable<Awaited<ReturnType<typeof readFamily>>["stored"]>;

async function readChangeable(context: Context, identifier: Identifier): Promise<Stored | Refusal> {
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  return refuseImported(stored.family) ?? stored;
}

const GONE = refuse("conflict", "the shift at action_time was removed or moved before");
const NOBODY_IN_PART = refuse(
  "invalid",
  "action_time: nobody is on call by this event in this part",
  "action_time",
);

type PartChange = {
  readonly verb: "remove_part" | "move_part";
  /** The start of the part, epoch ms. */
  readonly actionAt: number;
  /** The part at its new hours; null: it is only removed. */
  readonly moved: (event: OnCallEvent, shown: OccurrenceWithParts) => OnCallEvent | null | Refusal;
};

type ChangedPart = {
  readonly change: Change<"Event">;
  /** What is answered of the part's removal. */
  readonly removal: PartRemoval;
};

async function changePart(
  context: Context,
  { family, record: before }: Stored,
  { verb, actionAt, moved: move }: PartChange,
): Promise<ChangedPart | Refusal> {
  const { actor, now } = context;
  const { event } = family;
  if (emptiedBy(family, actionAt)) return GONE;
  const shown = occurrenceAt(family, actionAt);
  if (!shown) return refuseOccurrence(event, actionAt);
  const isServed = ({ startAt, endAt }: OccurrencePart) => startAt <= actionAt && actionAt < endAt;
  if (!shown.parts.some(isServed)) return NOBODY_IN_PART;
  const moved = move(event, shown);
  if (isRefusal(moved)) return moved;
  const people = moved?.attendees.map(({ attendeeId }) => attendeeId) ?? [];
  if ((await readLeavers(context.db, actor.accountId, people)).size > 0) return LEFT;
  const removal = decidePartRemoval(event, shown, () => newId(now));
  const createdAt = isOverride(event) ? event.createdAt : newestOf(family, now);
  const patch = {
    event: removal.event,
    added: [
      ...removal.added.map((it) => ({ event: withOwnRows(it, now), createdAt })),
      ...(moved === null ? [] : [{ event: withOwnRows(moved, now) }]),
    ],
  };
  const patched = patchFamily(actor.accountId, family, patch, now);
  const onCall = effectOf(changeOfFamily(family, patched));
  const { writes } = patched;
  const [emptied] = isOverride(event) ? [] : removal.added;
  return {
    change: { verb, records: eventRecords, id: event.id, before, writes, onCall },
    removal: { event_id: removal.event?.id ?? null, override_id: emptied?.id ?? null },
  };
}

const LEFT = refuse(
  "invalid",
  "action_time: somebody who served this part has left the account",
  "action_time",
);
