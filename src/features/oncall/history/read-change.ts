// Reads an entry of a schedule's history, with what the change did to who is on call.
import { sql } from "drizzle-orm";
import {
  absencesIn,
  EMPTY_SCHEDULE,
  type OnCallSchedule,
} from "../../../domain/oncall/absences/absence.ts";
import { compareOnCall } from "../../../domain/oncall/changes/on-call-comparison.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant, HOUR } from "../../../domain/shared/time.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { type EventImage, readImages } from "../../change/event-images.ts";
import { changes } from "../../schema/changes.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { showWindow } from "../on-call/preview-on-call-change.ts";
import { absencesAround } from "./absence-images.ts";
import type { ChangeEffect, ScheduleChangeWithEffect } from "./contract.ts";
import { type StoredChange, selectEntry } from "./rows.ts";
import { selectChange } from "./select-change.ts";

/** The compared time: before the change only if it was to change the past. */
export const DAYS_BACK = 28;
const DAYS_AHEAD = 42;

/** The start (epoch ms) of the time in which a change may have an effect that is shown. */
const effectFrom = ({ createdAt, correctsPast }: Pick<Images, "createdAt" | "correctsPast">) =>
  correctsPast ? createdAt - DAYS_BACK * DAY : createdAt;

/**
 * Reads an entry with its effect in the schedule: the events before and after the change, beside the
 * schedule's other events that were there then and still are.
 *
 * @returns the entry; 404
 */
export async function readChange(
  { db, actor }: Pick<Context, "db" | "actor">,
  schedule: Identifier,
  change: Identifier,
): Promise<ScheduleChangeWithEffect | Refusal> {
  const { accountId } = actor;
  const { record, id, scheduleId } = selectChange(accountId, schedule, change);
  const from = sql`(select created_at - ${DAYS_BACK * DAY} from ${changes}
    where account_id = ${accountId} and id = (${id}))`;
  const [[shown], [entry], [place], events, absences, past] = await batch(db, [
    record,
    selectEntry(accountId, id),
    select({ id: sql<string>`id` }, sql`from (${scheduleId})`),
    ...selectOnCall(accountId, scheduleId, from),
  ]);
  if (!shown || !entry || !place) return notFound("change");
  const onCall = toOnCallSchedules(events, absences, past).get(place.id) ?? EMPTY_SCHEDULE;
  return { ...shown, effect: effectOf(entry, place.id, onCall) };
}

const NOT_KNOWN = { known: false, changes: [], gaps_opened: [], gaps_closed: [], hours: [] };

/** What an entry stores of the events and of the record. */
type Images = Pick<
  StoredChange,
  | "createdAt"
  | "correctsPast"
  | "kind"
  | "verb"
  | "recordId"
  | "recordBefore"
  | "recordAfter"
  | "eventIds"
  | "before"
  | "after"
>;

/** What a change did in a schedule. `schedule`: as it is now. */
export function effectOf(
  entry: Images,
  scheduleId: string,
  schedule: OnCallSchedule,
): ChangeEffect {
  const { createdAt, eventIds, before, after } = entry;
  const from = effectFrom(entry);
  const to = createdAt + DAYS_AHEAD * DAY;
  const window = { start: formatInstant(from), end: formatInstant(to) };
  if (eventIds.length > 0 && before === null) return { ...NOT_KNOWN, window };
  const touched = new Set(eventIds);
  const others = schedule.events.filter((it) => !touched.has(it.id) && it.createdAt <= createdAt);
  const isHere = ({ scheduleIds }: EventImage) => scheduleIds.includes(scheduleId);
  const absences = absencesAround(entry, schedule.absences);
  const images = [before, after].map((image) => readImages(image).filter(isHere));
  const changed = new Set(images.flat().map(({ seriesId }) => seriesId));
  // What the changed series have been since is not what this change did.
  const past = (schedule.past ?? []).filter(({ seriesId }) => !changed.has(seriesId));
  const [was, is] = images.map((events) => [...events, ...others]);
  const { windows, people } = compareOnCall(
    { events: was ?? [], absences: absencesIn(absences.before, scheduleId), past },
    { events: is ?? [], absences: absencesIn(absences.after, scheduleId), past },
    from,
    to,
  );
  const moved = people.filter(({ beforeMs, afterMs }) => beforeMs !== afterMs);
  return {
    known: true,
    window,
    changes: windows.map(showWindow),
    gaps_opened: windows.filter((it) => it.after.length === 0).map(showWindow),
    gaps_closed: windows.filter((it) => it.before.length === 0).map(showWindow),
    hours: moved.map(({ attendeeId, beforeMs, afterMs }) => ({
      account_user_id: attendeeId,
      before: beforeMs / HOUR,
      after: afterMs / HOUR,
    })),
  };
}
