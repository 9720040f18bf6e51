// What a change of events would do to who is on call. Computed from the same events that the change
// would store.
import { sql } from "drizzle-orm";
import type {
  ChangedOnCall,
  OnCallPreview,
  PlannedShift,
} from "../../../contract/oncall/on-call-preview.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../../db/oncall/oncall-rows.ts";
import { all } from "../../../db/shared/select.ts";
import {
  type ChangedWindow,
  compareOnCall,
  type LayerShift,
  layerShiftsBetween,
} from "../../../domain/oncall/changes/on-call-comparison.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { DAY, formatInstant, HOUR } from "../../../domain/shared/time.ts";
import type { Context } from "../../shared/context.ts";

/** The events of a change as they would be stored. */
export type OnCallChange = {
  /** The ids of all events that change or go. */
  readonly replacedIds: readonly string[];
  /** The events after the change: those that are left, changed or new. */
  readonly events: readonly OnCallEvent[];
  /** The schedules of the events before and after the change. */
  readonly schedulesBefore: readonly string[];
  readonly schedulesAfter: readonly string[];
};

/** The compared time: a change may also affect what has been. */
const DAYS_BACK = 28;
const DAYS_AHEAD = 42;

const windowAt = (now: number) => ({ from: now - DAYS_BACK * DAY, to: now + DAYS_AHEAD * DAY });

/** Reads the schedules of a change and compares who is on call without and with it. */
export async function previewOnCallChange(
  { db, actor, now }: Context,
  { replacedIds, events, schedulesBefore, schedulesAfter }: OnCallChange,
): Promise<OnCallPreview> {
  const { from, to } = windowAt(now);
  const scheduleIds = [...new Set([...schedulesBefore, ...schedulesAfter])].sort();
  const here = sql`select value from json_each(${JSON.stringify(scheduleIds)})`;
  const rows = await all(db, selectOnCallEvents(actor.accountId, here, from));
  const stored = toOnCallEvents(rows);
  const replaced = new Set(replacedIds);
  const schedules = scheduleIds.map((id) => {
    const before = stored.get(id) ?? [];
    const others = before.filter((event) => !replaced.has(event.id));
    const after = schedulesAfter.includes(id) ? [...others, ...events] : others;
    const { windows, people } = compareOnCall(before, after, from, to);
    return {
      schedule_id: id,
      changes: windows.map(showWindow),
      gaps_opened: windows.filter((it) => it.after.length === 0).map(showWindow),
      gaps_closed: windows.filter((it) => it.before.length === 0).map(showWindow),
      shifts: layerShiftsBetween(after, now, to).map(showShift),
      hours: people.map(({ attendeeId, beforeMs, afterMs }) => ({
        account_user_id: attendeeId,
        before: beforeMs / HOUR,
        after: afterMs / HOUR,
      })),
    };
  });
  return { ...emptyPreview(now), unchanged: schedules.every(isUnchanged), schedules };
}

const isUnchanged = ({ changes }: { readonly changes: readonly unknown[] }) => changes.length === 0;

/** The preview of a change that affects no event. `now` in epoch ms. */
export function emptyPreview(now: number): OnCallPreview {
  const { from, to } = windowAt(now);
  const window = { start: formatInstant(from), end: formatInstant(to) };
  return { unchanged: true, window, schedules: [] };
}

const showWindow = ({ layer, startAt, endAt, before, after }: ChangedWindow): ChangedOnCall => ({
  layer,
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
  account_user_ids_before: before,
  account_user_ids_after: after,
});

const showShift = ({ layer, startAt, endAt, people }: LayerShift): PlannedShift => ({
  layer,
  start_time: formatInstant(startAt),
  end_time: formatInstant(endAt),
  account_user_ids: people,
});
