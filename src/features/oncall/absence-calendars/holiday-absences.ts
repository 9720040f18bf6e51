// Reads the holidays of an absence calendar as absences: the public ones of its region, the company's,
// or both.

import type { CalendarAbsence } from "../../../domain/oncall/absences/calendar-absences.ts";
import { holidayAbsences, holidayDates } from "../../../domain/oncall/absences/holiday-absences.ts";
import {
  type CompanyHoliday,
  companyHolidaysBetween,
  joinHolidays,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import { holidaysBetween } from "../../../domain/oncall/holidays/holidays.ts";
import { DAY, instantOf, zoneOf } from "../../../domain/shared/time.ts";
import { all } from "../../../kernel/db/select.ts";
import { selectCompanyHolidays } from "../holidays/company-holiday-records.ts";
import { findHolidayRegion } from "../holidays/holiday-files.ts";

export type HolidaySource = {
  readonly accountId: string;
  readonly region: string | null;
  readonly companyHolidays: boolean;
  /** The person's. */
  readonly timeZone: string;
};

/** What a source of absences has; or why it cannot be read: a sentence without an end. */
export type AbsencesRead =
  | {
      readonly absences: readonly CalendarAbsence[];
      readonly until: number;
      /** Titles of what could not be read. */
      readonly unreadable: readonly string[];
    }
  | { readonly reason: string };

/**
 * Reads holidays as absences.
 *
 * @param now epoch ms
 * @param own the company holidays; absent: as they are stored
 */
export async function readHolidayAbsences(
  env: Cloudflare.Env,
  { accountId, region, companyHolidays, timeZone }: HolidaySource,
  now: number,
  own?: readonly CompanyHoliday[],
): Promise<AbsencesRead> {
  const found = region === null ? null : await findHolidayRegion(env, region);
  // A release of the worker may have other regions.
  if (region !== null && found === null) return { reason: `there is no region ${region} any more` };
  const zone = zoneOf(timeZone);
  const { from, to } = holidayDates(zone, now);
  const ofRegion = found ? holidaysBetween(found.file, found.code, from, to) : [];
  const known = own ?? (companyHolidays ? await all(env.DB, selectCompanyHolidays(accountId)) : []);
  const ofCompany = companyHolidays ? companyHolidaysBetween(known, from, to) : [];
  const absences = holidayAbsences(joinHolidays(ofRegion, ofCompany), zone);
  return { absences, until: instantOf(zone, (to + 1) * DAY), unreadable: [] };
}
