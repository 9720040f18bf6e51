// What a change of events would do to who is on call. Computed from the same events that the change
// would store.
import { sql } from "drizzle-orm";
import {
  type Absence,
  absencesIn,
  EMPTY_SCHEDULE,
  type OnCallSchedule,
} from "../../../domain/oncall/absences/absence.ts";
import { type AbsenceChange, absencesAfter } from "../../../domain/oncall/absences/absent-hours.ts";
import {
  type ChangedWindow,
  compareOnCall,
  firstDifference,
  type LayerShift,
  layerShiftsBetween,
} from "../../../domain/oncall/changes/on-call-comparison.ts";
import type { PastSeries } from "../../../domain/oncall/changes/past-series.ts";
import { eventsAfter } from "../../../domain/oncall/changes/schedule-after.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { lastPlannedDifference } from "../../../domain/oncall/rosters/planned-rosters.ts";
import { DAY, formatInstant, HOUR } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { OfPast } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { selectCoveredBy } from "../absences/absence-rows.ts";
import type { AbsenceWarning } from "../absences/contract.ts";
import type { CalendarReading } from "../calendar-imports/reading-contract.ts";
import { type ChangedEvents, type PastOfChange, pastOfChange } from "../events/past-of-change.ts";
import { schedulesOfPeople } from "../schedules/person-schedules.ts";
import type { ChangedOnCall, OnCallPreview, PlannedShift } from "./contract.ts";
import { selectOnCall, toOnCallSchedules } from "./oncall-rows.ts";

/** The events of a change as they would be stored, and what else it changes. */
export type PreviewedChange = ChangedEvents & {
  /** The schedules of the events before the change. */
  readonly schedulesBefore: readonly string[];
  /** What the change does to absences, and the people whom they are of. */
  readonly absences?: AbsenceChange & { readonly people: readonly string[] };
  /** Whether that schedule goes, and with it what is kept of its past. */
  readonly isDeleted?: boolean;
  /** Who leaves the account with the change: their absences end with it, and they cover for nobody. */
  readonly leaver?: string;
  /** Compare at least until then (epoch ms). */
  readonly until?: number;
  readonly warnings?: readonly AbsenceWarning[];
  /** Of a calendar import: what its calendar has now. */
  readonly calendar?: CalendarReading;
};

/** The compared time: a change may also affect what has been. */
const DAYS_BACK = 28;
const DAYS_AHEAD = 42;
/** How far ahead a change is looked for: other answers about on call span 366 days. */
const MOST_DAYS_AHEAD = 338;

const windowAt = (now: number, until = 0) => ({
  from: now - DAYS_BACK * DAY,
  to: Math.max(now + DAYS_AHEAD * DAY, until),
});

/** Reads the schedules of a change and compares who is on call without and with it. */
export async function previewOnCallChange(
  context: Context,
  change: PreviewedChange,
  ofPast: OfPast,
): Promise<OnCallPreview> {
  const { db, actor, now } = context;
  const { replacedIds, events, schedulesBefore, schedulesAfter, warnings, calendar } = change;
  const { until = 0 } = change;
  const { from } = windowAt(now);
  const own = [...new Set([...schedulesBefore, ...schedulesAfter])];
  const people = [...(change.absences?.people ?? []), ...(change.leaver ? [change.leaver] : [])];
  const [[rows, stored, past], pastChange] = await Promise.all([
    batch(db, selectOnCall(actor.accountId, selectRead(), from)),
    pastOfChange(context, change, ofPast),
  ]);
  const before = toOnCallSchedules(rows, stored, past);
  const absences = absencesOf(change, stored, now);
  const replaced = new Set(replacedIds);
  const compared = [...new Set([...own, ...before.keys()])].sort().map((id): Compared => {
    const known = before.get(id) ?? EMPTY_SCHEDULE;
    const kept = id === change.emptied ? [] : known.events;
    const isGone = change.isDeleted && id === change.emptied;
    const past = isGone ? [] : pastAfter(known, pastChange, id);
    return {
      id,
      before: known,
      planned: {
        events: eventsAfter(kept, id, change),
        absences: absencesIn(absences, id),
        past,
      },
    };
  });

  function selectRead() {
    const here = sql`select value from json_each(${JSON.stringify(own)})`;
    if (people.length === 0) return here;
    const { accountId } = actor;
    const named = sql`select value from json_each(${JSON.stringify(people)})`;
    const served = selectCoveredBy(accountId, named, now);
    return sql`${here} union ${schedulesOfPeople(accountId, served, now)}`;
  }
  const changing = [...before.values()]
    .flatMap((schedule) => schedule.events)
    .filter(({ id }) => replaced.has(id));
  const near = windowAt(now, Math.max(until, plannedEnd(changing, events, now)));
  const comparison = compareAll(compared, near);
  const further = comparison.every(({ windows }) => windows.length === 0)
    ? furtherEnd(compared, near, now)
    : null;
  const to = further ?? near.to;
  const shown = further === null ? comparison : compareAll(compared, { from, to });
  // Of the schedules of absent people: those where their absence matters.
  const isShown = ({ id, windows }: (typeof shown)[number]) =>
    own.includes(id) || windows.length > 0;
  const schedules = shown.filter(isShown).map(({ id, planned, windows, people }) => {
    return {
      schedule_id: id,
      changes: windows.map(showWindow),
      gaps_opened: windows.filter((it) => it.after.length === 0).map(showWindow),
      gaps_closed: windows.filter((it) => it.before.length === 0).map(showWindow),
      shifts: layerShiftsBetween(planned, now, to).map(showShift),
      hours: people.map(({ attendeeId, beforeMs, afterMs }) => ({
        account_user_id: attendeeId,
        before: beforeMs / HOUR,
        after: afterMs / HOUR,
      })),
    };
  });
  return {
    ...emptyPreview(now, to),
    unchanged: schedules.every(isUnchanged),
    schedules,
    ...(warnings && { warnings }),
    ...(calendar && { calendar }),
  };
}

/** What is kept of a schedule's past after a change. */
function pastAfter(
  { past = [] }: OnCallSchedule,
  change: PastOfChange,
  scheduleId: string,
): readonly PastSeries[] {
  const changed = new Set(change.past.map(({ seriesId }) => seriesId));
  const corrected = new Set(change.corrected);
  const isHere = (it: { readonly scheduleId: string }) => it.scheduleId === scheduleId;
  return [
    ...past.filter(({ seriesId }) => !changed.has(seriesId)),
    ...change.past.filter((it) => isHere(it) && !corrected.has(it.id)),
    ...change.added.filter(isHere).map((it, index) => ({ ...it, id: `${it.seriesId} ${index}` })),
  ];
}

type Compared = {
  readonly id: string;
  readonly before: OnCallSchedule;
  readonly planned: OnCallSchedule;
};

/** The account's absences after a change. `now` in epoch ms. */
function absencesOf(
  { absences: change, leaver }: PreviewedChange,
  stored: readonly Absence[],
  now: number,
): readonly Absence[] {
  const changed = change ? absencesAfter(stored, change, now) : stored;
  if (leaver === undefined) return changed;
  const left = changed.filter((it) => it.coveringAccountUserId === leaver && it.endAt > now);
  const replacedIds = left.map(({ id }) => id);
  const uncovered = left.map((it) => ({ ...it, coveringAccountUserId: null }));
  return absencesAfter(changed, { replacedIds, absences: uncovered }, now).filter(
    (it) => it.accountUserId !== leaver || it.startAt < now,
  );
}

type Window = ReturnType<typeof windowAt>;

const compareAll = (compared: readonly Compared[], { from, to }: Window) =>
  compared.map((it) => ({ ...it, ...compareOnCall(it.before, it.planned, from, to) }));

/** The end of the compared time for people who are planned differently; 0: nobody is. */
function plannedEnd(
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  now: number,
): number {
  const last = lastPlannedDifference(before, after, now);
  return last === null ? 0 : Math.min(last + DAYS_AHEAD * DAY, now + MOST_DAYS_AHEAD * DAY);
}

/** The end of the compared time for a change whose effect is all after `near`; null: it has none. */
function furtherEnd(compared: readonly Compared[], { to }: Window, now: number): number | null {
  const most = now + MOST_DAYS_AHEAD * DAY;
  const found = compared.flatMap(
    ({ before, planned }) => firstDifference(before, planned, [to, most], DAYS_AHEAD * DAY) ?? [],
  );
  return found.length > 0 ? Math.min(Math.min(...found) + DAYS_AHEAD * DAY, most) : null;
}

const isUnchanged = ({ changes }: { readonly changes: readonly unknown[] }) => changes.length === 0;

/** The preview of a change that affects no event. `now` and `until` in epoch ms. */
export function emptyPreview(now: number, until?: number): OnCallPreview {
  const { from, to } = windowAt(now, until);
  const window = { start: formatInstant(from), end: formatInstant(to) };
  return { unchanged: true, window, schedules: [] };
}

/** A window in which the people of a layer differ, as answers show it. */
export const showWindow = ({
  layer,
  startAt,
  endAt,
  before,
  after,
}: ChangedWindow): ChangedOnCall => ({
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
