import { and, eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { selectId, selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { deleteRecord, selectReferencesThroughTeams } from "../../change/delete-record.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { eventSchedules, schedules, teams } from "../../schema/oncall.ts";
import { selectWholeFamilies, toWholeFamilies } from "../events/event-family.ts";
import { deleteEventsOnlyIn, eventsIn } from "../events/event-rows.ts";
import { effectOf, NO_EFFECT } from "../on-call/on-call-effect.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import type { CreateSchedule, UpdateSchedule } from "./parameters.ts";
import { scheduleRecords } from "./rows.ts";

/** What it does that a schedule loses all its events; they stay in others. */
const changeOfEmptied = (scheduleId: string): PreviewedChange => ({
  replacedIds: [],
  events: [],
  schedulesBefore: [scheduleId],
  schedulesAfter: [],
  emptied: scheduleId,
});

/**
 * Creates a schedule (contract 2, Schedules).
 *
 * @param id the ULID of the new schedule
 */
export async function createSchedule(
  context: Context,
  id: string,
  body: CreateSchedule,
): Promise<Decision<"Schedule">> {
  const { actor, now } = context;
  const row = { ...newIdentity("schedule", now, id), accountId: actor.accountId, ...body };
  const writes = [build.insert(schedules).values(row)];
  const concerns = sql`select ${id}`;
  return {
    ...{ verb: "create", records: scheduleRecords, id, before: null, writes, concerns },
    answer: ({ after }) => after ?? notFound("schedule"),
  };
}

/**
 * Changes a schedule's name and `meta` (contract 2, Schedules).
 *
 * @returns the schedule; 404
 */
export async function updateSchedule(
  context: Context,
  identifier: Identifier,
  body: UpdateSchedule,
): Promise<Decision<"Schedule"> | Refusal> {
  const { db, actor, now } = context;
  const before = await first(db, selectRecord(scheduleRecords, actor.accountId, identifier));
  if (!before) return notFound("schedule");
  const { id } = before;
  const readUpdatedAt = Date.parse(before.updated_at);
  const updatedAt = nextUpdatedAt(readUpdatedAt, now);
  const writes = [
    assertUnchanged(schedules, id, readUpdatedAt),
    build
      .update(schedules)
      .set({ ...body, updatedAt })
      .where(eq(schedules.id, id)),
  ];
  return {
    ...{ verb: "update", records: scheduleRecords, id, before, writes },
    concerns: sql`select ${id}`,
    effect: async () => NO_EFFECT,
    answer: ({ after }) => after ?? notFound("schedule"),
  };
}

/**
 * Deletes a schedule, clears it from its teams, and deletes the events that are in no other schedule
 * (contract 2, Deletion).
 *
 * @returns null; 404; 409 while an unfinished alert of its teams needs it
 */
export function deleteSchedule(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"Schedule", null> | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const reasons = selectReferencesThroughTeams(accountId, teams.scheduleId);
  const deletes = (id: string) => [
    build
      .update(teams)
      .set({ scheduleId: null, updatedAt: now })
      .where(and(eq(teams.accountId, accountId), eq(teams.scheduleId, id))),
    deleteEventsOnlyIn(accountId, sql`${id}`),
    build.delete(schedules).where(eq(schedules.id, id)),
  ];
  const touches = (id: string) => eventsIn(accountId, sql`${id}`);
  const effect = async (id: string) => effectOf({ ...changeOfEmptied(id), isDeleted: true });
  return deleteRecord(context, scheduleRecords, identifier, { reasons, deletes, touches, effect });
}

/**
 * Removes every event from a schedule; what they served there stays. Events in no other schedule are
 * deleted with their overrides. The schedule's calendar imports are deleted, since their shifts would
 * come back.
 *
 * @returns null; 404; 409 when its events change at the same time
 */
export async function flushSchedule(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"Schedule", null> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const here = sql`(${selectId(scheduleRecords, accountId, identifier)})`;
  const [[before], ...read] = await batch(db, [
    selectRecord(scheduleRecords, accountId, identifier),
    ...selectWholeFamilies(accountId, eventsIn(accountId, here), now),
  ]);
  if (!before) return notFound("schedule");
  const { id } = before;
  const writes = [
    deleteEventsOnlyIn(accountId, sql`${id}`),
    sql`delete from ${eventSchedules}
      where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = ${id}`,
    sql`delete from ${calendarImports} where ${calendarImports.accountId} = ${accountId}
      and ${calendarImports.scheduleId} = ${id}`,
  ];
  return {
    ...{ verb: "flush", records: scheduleRecords, id, before, writes },
    touches: eventsIn(accountId, sql`${id}`),
    concerns: sql`select ${id}`,
    onCall: effectOf({ ...changeOfEmptied(id), known: toWholeFamilies(read) }),
    answer: () => null,
  };
}
