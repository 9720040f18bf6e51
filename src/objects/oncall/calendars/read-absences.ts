// Reads a person's absence calendar, or the public holidays of its region, into their
// unavailabilities. A failure changes none.
import { selectCompanyHolidays } from "../../../db/oncall/holidays/company-holiday-records.ts";
import { findHolidayRegion } from "../../../db/oncall/holidays/holiday-files.ts";
import {
  recordComplete,
  recordFailure,
  recordUnchanged,
  type Validators,
} from "../../../db/oncall/imports/reading-rows.ts";
import {
  type StoredAbsenceCalendar,
  selectStoredAbsenceCalendar,
  selectStoredAbsences,
  writeAbsences,
} from "../../../db/oncall/unavailability/absence-rows.ts";
import { absenceCalendars } from "../../../db/schema/calendars/calendar-imports.ts";
import { assertUnchanged } from "../../../db/shared/optimistic-retry.ts";
import { isPreconditionFailed } from "../../../db/shared/precondition.ts";
import { all, batch } from "../../../db/shared/select.ts";
import {
  companyHolidaysBetween,
  joinHolidays,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import { holidaysBetween } from "../../../domain/oncall/holidays/holidays.ts";
import {
  fitImport,
  importWindow,
  maySkipUnchanged,
  nextReadAfterFailure,
} from "../../../domain/oncall/imports/reading-times.ts";
import {
  type Absence,
  decideAbsences,
} from "../../../domain/oncall/unavailability/absence-decision.ts";
import {
  holidayAbsences,
  holidayDates,
} from "../../../domain/oncall/unavailability/holiday-absences.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, MINUTE, zoneOf } from "../../../domain/shared/time.ts";
import { readCalendar } from "../../../integrations/calendars/read-calendar.ts";
import { notifyChanges } from "../../shared/notify-changes.ts";
import type { ReadingRequest } from "./calendar-reader.ts";
import { fetchCalendar } from "./fetch-calendar.ts";

const INTERVAL = DAY;

/** How long past absences of a calendar are stored (ms). */
const STORED_FOR = 90 * DAY;

/**
 * Reads an absence calendar, writes its changes and the result.
 *
 * @returns when to read it again (epoch ms); null: it was deleted
 * @throws if D1 does
 */
export async function readAbsences(
  env: Cloudflare.Env,
  { id, accountId, complete }: ReadingRequest,
): Promise<number | null> {
  const [[stored]] = await batch(env.DB, [selectStoredAbsenceCalendar(accountId, id)]);
  if (!stored) return null;
  const read = await readSource(env, stored, complete);
  if (read.kind === "failed") return fail(env, stored, read.reason);
  const now = Date.now();
  const nextAt = now + INTERVAL;
  if (read.kind === "unchanged") {
    await batch(env.DB, [recordUnchanged(absenceCalendars, id, nextAt, now)]);
    return nextAt;
  }
  const [before] = await batch(env.DB, [selectStoredAbsences(id, now)]);
  const changes = decideAbsences(before, read.absences, now);
  try {
    await batch(env.DB, [
      assertUnchanged(absenceCalendars, id, stored.updatedAt),
      ...writeAbsences(stored, changes, now - STORED_FOR, now),
      recordComplete(absenceCalendars, id, read, nextAt, now),
    ]);
  } catch (error) {
    // The calendar itself was changed: its writer asks for another reading.
    if (isPreconditionFailed(error)) return now + MINUTE;
    throw error;
  }
  // Rotations that skip who is unavailable follow.
  if (Object.values(changes).some((list) => list.length > 0)) await notifyChanges(env, accountId);
  return nextAt;
}

type ReadSource =
  | ({ readonly kind: "read"; readonly absences: readonly Absence[] } & Validators)
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly reason: string };

const failed = (reason: string) => ({ kind: "failed", reason }) as const;

/** Reads the absences of a calendar from where it has them. */
async function readSource(
  env: Cloudflare.Env,
  stored: StoredAbsenceCalendar,
  complete: boolean,
): Promise<ReadSource> {
  if (stored.url === "") return readHolidays(env, stored);
  const { url, etag, lastModified } = stored;
  const maySkip = !complete && maySkipUnchanged(stored.completeAt, Date.now());
  const fetched = await fetchCalendar(env, url, maySkip ? { etag, lastModified } : null);
  if (fetched.kind !== "read") return fetched;
  const window = importWindow(Date.now());
  const reading = readCalendar(fetched.text, window);
  if (isRefusal(reading)) return failed(`the calendar ${reading.errors[0]?.message}`);
  const absences = fitImport(reading.entries, window).shifts.map((it) => ({
    key: it.key,
    startAt: it.startAt,
    endAt: it.endAt,
    reason: it.summary === "" ? null : it.summary,
  }));
  return { ...fetched, absences };
}

async function readHolidays(
  env: Cloudflare.Env,
  { accountId, region, companyHolidays, timeZone }: StoredAbsenceCalendar,
): Promise<ReadSource> {
  const found = region === null ? null : await findHolidayRegion(env, region);
  // A release of the worker may have other regions.
  if (region !== null && found === null) return failed(`there is no region ${region} any more`);
  const zone = zoneOf(timeZone);
  const { from, to } = holidayDates(zone, Date.now());
  const ofRegion = found ? holidaysBetween(found.file, found.code, from, to) : [];
  const own = companyHolidays ? await all(env.DB, selectCompanyHolidays(accountId)) : [];
  const holidays = joinHolidays(ofRegion, companyHolidaysBetween(own, from, to));
  const absences = holidayAbsences(holidays, zone);
  return { kind: "read", absences, etag: null, lastModified: null };
}

async function fail(
  env: Cloudflare.Env,
  { id, failures: before, failingSince: since }: StoredAbsenceCalendar,
  error: string,
): Promise<number> {
  const now = Date.now();
  const failures = before + 1;
  const failingSince = since ?? now;
  const nextReadAt = nextReadAfterFailure(failures, failingSince, now);
  const failure = { error, failures, failingSince, nextReadAt };
  await batch(env.DB, [recordFailure(absenceCalendars, id, failure)]);
  return nextReadAt;
}
