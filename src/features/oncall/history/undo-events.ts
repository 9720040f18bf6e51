// Undoes a change of events by restoring their rows.
import { sql } from "drizzle-orm";
import { decideUndo } from "../../../domain/oncall/changes/undo-change.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Change, EventWrites } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { readImages } from "../../change/event-images.ts";
import { selectPresent } from "../../people/account-users/present-people.ts";
import {
  assertFamiliesUnchanged,
  selectWholeFamilies,
  theseIds,
  toWholeFamilies,
} from "../events/event-family.ts";
import { eventRecords } from "../events/event-records.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import { scheduleRecords } from "../schedules/rows.ts";
import { restoreEvents, type StoredChange, selectScheduleIds } from "./rows.ts";

/** Everyone in the rosters of some events. */
const peopleOf = (events: readonly OnCallEvent[]): readonly string[] => [
  ...new Set(
    events
      .flatMap((event) => [event, ...(event.earlierRosters ?? [])])
      .flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId)),
  ),
];

/**
 * Reads the events of an entry and decides how they are restored.
 *
 * @returns the writes, which a commit of the entry's record includes
 */
export async function prepareUndo(
  { db, actor, now }: Context,
  entry: StoredChange,
): Promise<EventWrites> {
  const { accountId } = actor;
  const stored = readImages(entry.before);
  const series = stored.map(({ seriesId }) => seriesId);
  const familyIds = theseIds([...new Set([...entry.eventIds, ...series])]);
  const people = peopleOf(stored);
  const [present, scheduleIds, ...read] = await batch(db, [
    selectPresent(accountId, people),
    selectScheduleIds(accountId),
    ...selectWholeFamilies(accountId, familyIds, now, entry.id),
  ]);
  const known = toWholeFamilies(read);
  const { members } = known;
  const schedules = new Set(scheduleIds.map(({ id }) => id));
  // Schedules that were deleted since are left out.
  const images = stored.map((image) => ({
    ...image,
    scheduleIds: image.scheduleIds.filter((id) => schedules.has(id)),
  }));
  const here = new Set(present.map(({ id }) => id));
  const change = {
    before: images,
    touchedIds: new Set(entry.eventIds),
    current: members,
    left: new Set(people.filter((id) => !here.has(id))),
  };
  const undo = decideUndo(change, now);
  const writes = [
    assertFamiliesUnchanged(accountId, familyIds, members),
    ...restoreEvents(accountId, { images, members, undo }, now),
  ];
  const schedulesOf = new Map(images.map(({ id, scheduleIds }) => [id, scheduleIds]));
  const schedulesBefore = [...new Set(members.flatMap((it) => it.scheduleIds))];
  const onCall = effectOf({
    replacedIds: [...undo.removedIds, ...undo.restored.map(({ id }) => id)],
    events: undo.restored,
    schedulesBefore,
    schedulesAfter: [...new Set([...schedulesBefore, ...[...schedulesOf.values()].flat()])],
    schedulesOf,
    known,
    keptFrom: entry.createdAt,
  });
  return { writes, onCall };
}

/**
 * Decides to restore the events of an entry, as a change of the record that the undone change was of.
 * What was served since stays.
 */
export async function undoEvents(
  context: Context,
  entry: StoredChange,
): Promise<Change<"Schedule"> | Change<"Event">> {
  const { db, actor } = context;
  const { kind, recordId: id } = entry;
  const { writes, onCall } = await prepareUndo(context, entry);
  const identifier = { form: "id", value: id } as const;
  const undo = { verb: "undo", id, writes, onCall };
  if (kind === "schedule") {
    const records = scheduleRecords;
    const before = await first(db, selectRecord(records, actor.accountId, identifier));
    return { ...undo, records, before, concerns: sql`select ${id}` };
  }
  const records = eventRecords;
  const before = await first(db, selectRecord(records, actor.accountId, identifier));
  return { ...undo, records, before };
}
