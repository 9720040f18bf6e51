// What readings of absence calendars do to who is on call, by rotations that skip who is away,
// for previews.
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import type { CalendarAbsence } from "../../../domain/oncall/absences/calendar-absences.ts";
import type { CompanyHoliday } from "../../../domain/oncall/holidays/company-holidays.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { all, first } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absenceCalendarObject } from "../../stubs.ts";
import { onCallChangeOf } from "../absences/absence-change.ts";
import type { CalendarReading } from "../calendar-imports/reading-contract.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import type { AbsenceSource } from "./absence-calendar-source.ts";
import { type AbsencesRead, readHolidayAbsences } from "./holiday-absences.ts";
import { selectCalendarsOfHolidays, selectComingAbsences, selectTimeZone } from "./rows.ts";

type Calendar = { readonly id: string; readonly accountUserId: string };

/** A calendar with what it has after a change; none once it is deleted. */
type ReadCalendar = Calendar & { readonly absences: readonly CalendarAbsence[] };

/** An absence that a calendar has at `now` (epoch ms). */
const absenceOf = (
  { startAt, endAt }: CalendarAbsence,
  accountUserId: string,
  now: number,
): Absence => ({
  ...{ id: newId(now), accountUserId, startAt, endAt, instead: "nobody_yet" },
  ...{ coveringAccountUserId: null, scheduleIds: null, decidedAt: now },
});

/** Of a change that makes nobody absent or present. */
const NO_ABSENCES_CHANGE: PreviewedChange = {
  replacedIds: [],
  events: [],
  schedulesBefore: [],
  schedulesAfter: [],
};

/** What it does that absence calendars have other absences. */
export async function changeOfAbsences(
  { db, now }: Context,
  calendars: readonly ReadCalendar[],
): Promise<PreviewedChange> {
  const ids = JSON.stringify(calendars.map(({ id }) => id));
  const stored = await all(db, selectComingAbsences(ids, now));
  const absences = calendars.flatMap(({ accountUserId, absences }) =>
    absences.filter(({ endAt }) => endAt > now).map((it) => absenceOf(it, accountUserId, now)),
  );
  const change = { replacedIds: stored.map(({ id }) => id), absences };
  const people = [...new Set(calendars.map(({ accountUserId }) => accountUserId))];
  return onCallChangeOf(change, people, 0);
}

/** Reads a calendar, and says what this would do. A failure changes no absence. */
export async function changeOfReading(
  context: Context,
  calendar: Calendar & AbsenceSource & { readonly prefixId: string },
): Promise<PreviewedChange> {
  const { env, db, actor, now } = context;
  const { prefixId, accountUserId, url, region, companyHolidays } = calendar;
  const person = await first(db, selectTimeZone(accountUserId));
  const source = { accountId: actor.accountId, url, region, companyHolidays };
  const timeZone = person?.timeZone ?? "UTC";
  const read = await absenceCalendarObject(env, prefixId).preview({ ...source, timeZone });
  const change =
    "reason" in read
      ? NO_ABSENCES_CHANGE
      : await changeOfAbsences(context, [{ ...calendar, absences: read.absences }]);
  return { ...change, calendar: showReading(read, now) };
}

function showReading(read: AbsencesRead, now: number): CalendarReading {
  if ("reason" in read) {
    return { error: read.reason, shift_count: 0, unmatched: [], imported_until: null };
  }
  return {
    error: null,
    shift_count: read.absences.filter(({ endAt }) => endAt > now).length,
    unmatched: read.unreadable.slice(0, 50),
    imported_until: formatInstant(read.until),
  };
}

/** What other company holidays do, by the absence calendars that have them. */
export async function changeOfHolidays(
  context: Context,
  holidays: readonly CompanyHoliday[],
): Promise<PreviewedChange> {
  const { env, db, actor, now } = context;
  const calendars = await all(db, selectCalendarsOfHolidays(actor.accountId));
  const read = await Promise.all(
    calendars.map(async ({ id, accountUserId, ...source }) => ({
      id,
      accountUserId,
      read: await readHolidayAbsences(env, source, now, holidays),
    })),
  );
  const changed = read.flatMap(({ id, accountUserId, read: it }) =>
    "reason" in it ? [] : [{ id, accountUserId, absences: it.absences }],
  );
  return changed.length === 0 ? NO_ABSENCES_CHANGE : changeOfAbsences(context, changed);
}
