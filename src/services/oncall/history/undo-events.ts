// Undoes a change of events by restoring their rows.
import { sql } from "drizzle-orm";
import { selectAbsences } from "../../../db/oncall/absences/absence-rows.ts";
import { eventRecords } from "../../../db/oncall/events/event-records.ts";
import { readImages } from "../../../db/oncall/history/event-images.ts";
import {
  assertFamiliesUnchanged,
  restoreEvents,
  type StoredEntry,
  selectFamilies,
  selectScheduleIds,
  toPlaced,
} from "../../../db/oncall/history/undo-rows.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { selectPresent } from "../../../db/people/present-people.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { batch } from "../../../db/shared/select.ts";
import { concerns, inOrder } from "../../../domain/oncall/absences/absence.ts";
import { decideUndo } from "../../../domain/oncall/history/undo-change.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { commitChange, type EventWrites } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";

const TOO_MUCH_SERVED = refuse(
  "conflict",
  "the change cannot be undone: too many shifts were served since; change the schedule instead",
);

/** Everyone in the rosters of some events. */
const peopleOf = (events: readonly OnCallEvent[]): readonly string[] => [
  ...new Set(
    events
      .flatMap((event) => [event, ...(event.earlierRosters ?? [])])
      .flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId)),
  ),
];

/**
 * Restores the events of an entry, from now on and before the change. What was served in between
 * stays.
 *
 * @returns null; 409 if too much was served since
 */
export async function undoEvents(context: Context, entry: StoredEntry): Promise<Refusal | null> {
  const undo = await prepareUndo(context, entry);
  if (isRefusal(undo)) return undo;
  await commitUndo(context, entry, undo);
  return null;
}

/**
 * Reads the events of an entry and decides how they are restored.
 *
 * @returns the writes, which a commit of the entry's record includes; 409 if too much was served since
 */
export async function prepareUndo(
  { db, actor, now }: Context,
  entry: StoredEntry,
): Promise<EventWrites | Refusal> {
  const { accountId } = actor;
  const stored = readImages(entry.before);
  const parents = stored.flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
  const familyIds = [...new Set([...entry.eventIds, ...parents])];
  const [members, present, absences, scheduleIds] = await batch(db, [
    selectFamilies(accountId, familyIds),
    selectPresent(accountId, peopleOf(stored)),
    selectAbsences(accountId, entry.createdAt),
    selectScheduleIds(accountId),
  ]);
  const schedules = new Set(scheduleIds.map(({ id }) => id));
  // Schedules that were deleted since are left out.
  const images = stored.map((image) => ({
    ...image,
    scheduleIds: image.scheduleIds.filter((id) => schedules.has(id)),
  }));
  const here = new Set(present.map(({ id }) => id));
  const current = toPlaced(members);
  const served = peopleOf(members);
  const presentServed = await batch(db, [selectPresent(accountId, served)]);
  for (const { id } of presentServed[0]) here.add(id);
  const change = {
    before: toPlaced(images),
    touchedIds: new Set(entry.eventIds),
    current,
    changedAt: entry.createdAt,
    absences: inOrder(absences.filter((it) => entry.scheduleIds.some((id) => concerns(it, id)))),
    left: new Set([...peopleOf(images), ...served].filter((id) => !here.has(id))),
  };
  const undo = decideUndo(change, now, () => newId(now));
  if (undo === null) return TOO_MUCH_SERVED;
  const writes = [
    assertFamiliesUnchanged(accountId, familyIds, members),
    ...restoreEvents(accountId, { images, members, undo }, now),
  ];
  const events = [...undo.restored, ...undo.added.events];
  const schedulesOf = new Map([...change.before.schedulesOf, ...undo.added.schedulesOf]);
  const idsIn = (places: ReadonlyMap<string, readonly string[]>) => [
    ...new Set([...places.values()].flat()),
  ];
  const onCall: OnCallChange = {
    replacedIds: [...undo.removedIds, ...undo.restored.map(({ id }) => id)],
    events,
    schedulesBefore: idsIn(current.schedulesOf),
    schedulesAfter: [...new Set([...idsIn(current.schedulesOf), ...idsIn(schedulesOf)])],
    schedulesOf,
  };
  return { writes, onCall };
}

/** Commits as a change of the record that the undone change was of. */
async function commitUndo(
  context: Context,
  { kind, recordId: id }: StoredEntry,
  { writes, onCall }: EventWrites,
): Promise<void> {
  const { db, actor } = context;
  const identifier = { form: "id", value: id } as const;
  const verb = "undo";
  if (kind === "schedule") {
    const [[before]] = await batch(db, [
      selectRecord(scheduleRecords, actor.accountId, identifier),
    ]);
    const concerns = sql`select ${id}`;
    const change = { verb, records: scheduleRecords, id, before: before ?? null, writes, onCall };
    await commitChange(context, { ...change, concerns });
    return;
  }
  const [[before]] = await batch(db, [selectRecord(eventRecords, actor.accountId, identifier)]);
  const change = { verb, records: eventRecords, id, before: before ?? null, writes, onCall };
  await commitChange(context, change);
}
