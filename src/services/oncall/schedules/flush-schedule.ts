import { sql } from "drizzle-orm";
import { deleteEventsOnlyIn, eventsIn } from "../../../db/oncall/events/event-rows.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { selectId, selectRecord } from "../../../db/records/records.ts";
import { calendarImports } from "../../../db/schema/calendars/calendar-imports.ts";
import { eventSchedules } from "../../../db/schema/oncall.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { first } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange, commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { changeOfEmptied } from "./empty-schedule.ts";

/**
 * Removes every event from a schedule. Events in no other schedule are deleted with their overrides.
 * The schedule's calendar imports are deleted, since their shifts would come back.
 *
 * @returns null; 404
 */
export function flushSchedule(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const id = selectId(scheduleRecords, accountId, identifier);
  const writes = [
    deleteEventsOnlyIn(accountId, sql`(${id})`),
    sql`delete from ${eventSchedules}
      where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = (${id})`,
    sql`delete from ${calendarImports} where ${calendarImports.accountId} = ${accountId}
      and ${calendarImports.scheduleId} = (${id})`,
  ];
  const touches = eventsIn(accountId, sql`(${id})`);
  const change = {
    verb: "flush",
    records: scheduleRecords,
    identifier,
    writes,
    touches,
    concerns: id,
  };
  if (context.preview) return previewFlush(context, identifier);
  return retryOnConflict(async () => {
    const { before } = await commitUnread(context, change);
    return before === null ? notFound("schedule") : null;
  });
}

async function previewFlush(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { db, actor } = context;
  const before = await first(db, selectRecord(scheduleRecords, actor.accountId, identifier));
  if (!before) return notFound("schedule");
  const { id } = before;
  const onCall = changeOfEmptied(id);
  const change = { verb: "flush", records: scheduleRecords, id, before, writes: [], onCall };
  await commitChange(context, change);
  return null;
}
