import { sql } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import {
  type ClockChangeNotice,
  clockChangeNotices,
} from "../../../domain/oncall/recurrence/clock-changes.ts";
import { nextOccurrence } from "../../../domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../domain/oncall/recurrence/recurrence.ts";
import { rotationOf } from "../../../domain/oncall/recurrence/rotation.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant, MINUTE } from "../../../domain/shared/time.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { onCallColumns } from "../../change/event-columns.ts";
import { events } from "../../schema/oncall.ts";
import type { EventWithClockChanges } from "./contract.ts";
import { eventRecords } from "./event-records.ts";

/** Reads an event, with the daylight-saving notices of the coming year; or 404. */
export async function readEvent(
  { db, actor, now }: Context,
  identifier: Identifier,
): Promise<EventWithClockChanges | Refusal> {
  const { accountId } = actor;
  const [[record], [event]] = await batch(db, [
    selectRecord(eventRecords, accountId, identifier),
    select(onCallColumns(0), sql`from ${events} where ${oneRecord(events, accountId, identifier)}`),
  ]);
  if (!record || !event) return notFound("event");
  const clockChanges = clockChangeNotices(event, now).map(showClockChange);
  return { ...record, rosters: rostersOf(event).map(showRoster), clock_changes: clockChanges };
}

/** All rosters of an event, from the first one on: not that of a series that it continues. */
function rostersOf(event: OnCallEvent) {
  const first = nextOccurrence(seriesOf({ ...event, exceptions: [] }), 0)?.startAt ?? event.startAt;
  const earlier = earlierRostersOf(event).filter(({ untilAt }) => untilAt > first);
  return [...earlier, event].map((roster, index) => ({
    roster,
    from: earlier[index - 1]?.untilAt ?? null,
    until: earlier[index]?.untilAt ?? null,
  }));
}

const showRoster = ({ roster, from, until }: ReturnType<typeof rostersOf>[number]) => ({
  from: from === null ? null : formatInstant(from),
  until: until === null ? null : formatInstant(until),
  rotation: roster.rotation,
  positions: rotationOf(roster).map((people) => people.map(({ attendeeId }) => attendeeId)),
});

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
