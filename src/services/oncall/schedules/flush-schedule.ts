import { sql } from "drizzle-orm";
import { selectWholeFamilies, toWholeFamilies } from "../../../db/oncall/events/event-family.ts";
import { deleteEventsOnlyIn, eventsIn } from "../../../db/oncall/events/event-rows.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { selectId, selectRecord } from "../../../db/records/records.ts";
import { calendarImports } from "../../../db/schema/calendars/calendar-imports.ts";
import { eventSchedules } from "../../../db/schema/oncall.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { changeOfEmptied } from "./empty-schedule.ts";

/**
 * Removes every event from a schedule; what they served there stays. Events in no other schedule are
 * deleted with their overrides. The schedule's calendar imports are deleted, since their shifts would
 * come back.
 *
 * @returns null; 404; 409 when its events change at the same time
 */
export function flushSchedule(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const here = sql`(${selectId(scheduleRecords, accountId, identifier)})`;
  return retryOnConflict(async () => {
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
    await commitChange(context, {
      ...{ verb: "flush", records: scheduleRecords, id, before, writes },
      touches: eventsIn(accountId, sql`${id}`),
      concerns: sql`select ${id}`,
      onCall: { ...changeOfEmptied(id), known: toWholeFamilies(read) },
    });
    return null;
  });
}
