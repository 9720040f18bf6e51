// The shifts of a calendar feed. Shows names, never contact addresses. Uses the calculation that
// pages.
import type { OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import {
  type FeedWindow,
  fitShifts,
  truncationNotice,
} from "../../../domain/oncall/feed-window.ts";
import { type OnCallEntry, onCallBetween } from "../../../domain/oncall/oncall.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { type StoredFeed, schedulesOfFeed, selectFeedNames } from "./rows.ts";

export type CalendarShift = {
  /** Stable: the same shift has the same uid in every response. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string;
  /** [startAt, endAt) in epoch ms. */
  readonly startAt: number;
  readonly endAt: number;
  /** The `prefix_id`s of the people and the layer, for another schedule that imports the feed. */
  readonly onCall?: { readonly people: readonly string[]; readonly layer: number };
};

/**
 * Reads the feed's shifts in a window, by start, in one round trip. When there are too many, the
 * last entry says so.
 */
export async function readFeedShifts(
  db: Connection,
  feed: StoredFeed,
  window: FeedWindow,
): Promise<CalendarShift[]> {
  const { accountId, personId } = feed;
  const { from } = window;
  const inSchedules = schedulesOfFeed(feed, from);
  const [rows, absences, past, named] = await batch(db, [
    ...selectOnCall(accountId, inSchedules, from),
    selectFeedNames(feed, inSchedules, from),
  ]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? "";
  const isMine = ({ attendees }: OnCallEntry) =>
    personId === null || attendees.some((it) => it.attendeeId === personId);
  const summaryOf = ({ layer, attendees, scheduleIds }: FeedEntry) => {
    if (personId === null) {
      return `${attendees.map((it) => nameOf(it.attendeeId)).join(", ")} (step ${layer})`;
    }
    return `On call: ${scheduleIds.map(nameOf).join(", ")} (step ${layer})`;
  };
  const entries = entriesOf(toOnCallSchedules(rows, absences, past), window)
    .filter(isMine)
    .sort((one, other) => one.startAt - other.startAt);
  const { shifts, cut } = fitShifts(entries, window);
  const shown = withUids(shifts, summaryOf);
  return cut === null ? shown : [...shown, cutEntry(window, cut)];
}

/** An entry and the schedules in which it counts. */
type FeedEntry = OnCallEntry & { readonly scheduleIds: readonly string[] };

/** The entries of all schedules; one that is the same in several appears once. */
function entriesOf(
  bySchedule: ReadonlyMap<string, OnCallSchedule>,
  { from, to }: FeedWindow,
): FeedEntry[] {
  const entries = [...bySchedule].flatMap(([scheduleId, schedule]) =>
    onCallBetween(schedule, from, to).map((entry) => ({ scheduleId, entry })),
  );
  // Shifts of one event that overlap may be of the same hours, by restrictions.
  const keyOf = ({ eventId, startAt, endAt, attendees }: OnCallEntry) =>
    [eventId, startAt, endAt, ...attendees.map(({ attendeeId }) => attendeeId)].join(" ");
  const same = Map.groupBy(entries, ({ entry }) => keyOf(entry));
  return [...same.values()].flatMap((all) =>
    all[0] ? [{ ...all[0].entry, scheduleIds: all.map(({ scheduleId }) => scheduleId) }] : [],
  );
}

/** An all-day entry, where the feed is cut off, that says what is missing. */
function cutEntry(window: FeedWindow, cut: { at: number; left: number }): CalendarShift {
  const uid = `end-${cut.at}@tocsin`;
  return { uid, ...truncationNotice(window, cut), startAt: cut.at, endAt: cut.at + DAY };
}

/**
 * Assigns each shift a uid from its event and start. An override that ends in several shifts of one
 * event can give them the same key; later ones get a counter.
 */
function withUids(
  entries: readonly FeedEntry[],
  summaryOf: (entry: FeedEntry) => string,
): CalendarShift[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { eventId, startAt, endAt } = entry;
    const key = `${eventId}-${startAt}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    const uid = `${before === 0 ? key : `${key}-${before}`}@tocsin`;
    const people = entry.attendees.map((it) => prefixIdOf("account_user", it.attendeeId));
    const onCall = { people, layer: entry.layer };
    return { uid, summary: summaryOf(entry), startAt, endAt, onCall };
  });
}
