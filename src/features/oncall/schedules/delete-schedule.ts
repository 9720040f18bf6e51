import { and, eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import type { Context } from "../../change/context.ts";
import { deleteRecord, selectReferencesThroughTeams } from "../../change/delete-record.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { deleteEventsOnlyIn, eventsIn } from "../events/event-rows.ts";
import { changeOfEmptied } from "./empty-schedule.ts";
import { scheduleRecords } from "./schedule-records.ts";

/**
 * Deletes a schedule, clears it from its teams, and deletes the events that are in no other schedule
 * (contract 2, Deletion).
 *
 * @returns null; 404; 409 while an unfinished alert of its teams needs it
 */
export function deleteSchedule(context: Context, identifier: Identifier): Promise<Refusal | null> {
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
  const onCall = async (id: string) => ({ ...changeOfEmptied(id), isDeleted: true });
  return deleteRecord(context, scheduleRecords, identifier, { reasons, deletes, touches, onCall });
}
