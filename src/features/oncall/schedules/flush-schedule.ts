import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectId, selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { eventSchedules } from "../../schema/oncall.ts";
import { selectWholeFamilies, toWholeFamilies } from "../events/event-family.ts";
import { deleteEventsOnlyIn, eventsIn } from "../events/event-rows.ts";
import { changeOfEmptied } from "./empty-schedule.ts";
import { scheduleRecords } from "./schedule-records.ts";

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
