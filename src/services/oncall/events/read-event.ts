import { sql } from "drizzle-orm";
import type { EventWithClockChanges } from "../../../contract/oncall/event.ts";
import { eventRecords } from "../../../db/oncall/event-records.ts";
import { onCallColumns } from "../../../db/oncall/oncall-rows.ts";
import { oneRecord, selectRecord } from "../../../db/records/records.ts";
import { events } from "../../../db/schema/oncall.ts";
import { batch, select } from "../../../db/shared/select.ts";
import {
  type ClockChangeNotice,
  clockChangeNotices,
} from "../../../domain/oncall/recurrence/clock-changes.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant, MINUTE } from "../../../domain/shared/time.ts";
import type { Context } from "../../shared/context.ts";

/** Reads an event, with the daylight-saving notices of the coming year; or 404. */
export async function readEvent(
  { db, actor, now }: Context,
  identifier: Identifier,
): Promise<EventWithClockChanges | Refusal> {
  const { accountId } = actor;
  const [[record], [event]] = await batch(db, [
    selectRecord(eventRecords, accountId, identifier),
    select(onCallColumns, sql`from ${events} where ${oneRecord(events, accountId, identifier)}`),
  ]);
  if (!record || !event) return notFound("event");
  return { ...record, clock_changes: clockChangeNotices(event, now).map(showClockChange) };
}

/** A notice of an occurrence that a daylight-saving change affects, with its resulting times. */
function showClockChange(notice: ClockChangeNotice) {
  const { interval, longerBy } = notice;
  return {
    local_start: notice.localStart,
    local_end: notice.localEnd,
    start: notice.start,
    end: notice.end,
    happens: interval !== null,
    start_time: interval && formatInstant(interval.startAt),
    end_time: interval && formatInstant(interval.endAt),
    longer_by_minutes: interval && longerBy / MINUTE,
  };
}
