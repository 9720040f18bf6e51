import { sql } from "drizzle-orm";
import { selectEvery } from "../../../kernel/db/records.ts";
import type { AbsenceCalendar } from "../../oncall/absence-calendars/contract.ts";
import {
  CreateAbsenceCalendar,
  UpdateAbsenceCalendar,
} from "../../oncall/absence-calendars/parameters.ts";
import { absenceCalendarRecords } from "../../oncall/absence-calendars/rows.ts";
import {
  createAbsenceCalendar,
  updateAbsenceCalendar,
} from "../../oncall/absence-calendars/verbs.ts";
import { companyHolidayRecords } from "../../oncall/holidays/company-holiday-records.ts";
import { CreateCompanyHoliday, UpdateCompanyHoliday } from "../../oncall/holidays/parameters.ts";
import { createCompanyHoliday, updateCompanyHoliday } from "../../oncall/holidays/verbs.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const HOLIDAY = plainFields(CreateCompanyHoliday);

export const companyHolidaysSection = declareSection({
  name: "company_holidays",
  kind: "company_holiday",
  fields: HOLIDAY,
  select: (accountId) => selectEvery(companyHolidayRecords, accountId),
  show: (holiday) => pick(holiday, HOLIDAY),
  parametersOf: (entry) => pick(entry, HOLIDAY),
  create: validated(CreateCompanyHoliday, createCompanyHoliday),
  update: validated(UpdateCompanyHoliday, (context, id, body) =>
    updateCompanyHoliday(context, byId(id), body),
  ),
});

/** The address of a calendar is a secret. */
const CALENDAR = plainFields(CreateAbsenceCalendar).filter((field) => field !== "url");

/** People's calendars of holidays. The absences in them are read from them. */
export const absenceCalendarsSection = declareSection({
  name: "absence_calendars",
  kind: "absence_calendar",
  fields: ["person", ...CALENDAR],
  fieldNames: { account_user_id: "person", url: "region" },
  select: (accountId) =>
    selectEvery(absenceCalendarRecords, accountId, sql`${absenceCalendars.url} = ''`),
  show: (calendar, keyOf) => ({
    person: keyOf("account_user", calendar.account_user_id),
    ...pick(calendar, CALENDAR),
  }),
  parametersOf,
  create: validated(CreateAbsenceCalendar, createAbsenceCalendar),
  update: validated(UpdateAbsenceCalendar, (context, id, body) =>
    updateAbsenceCalendar(context, byId(id), body),
  ),
});

function parametersOf(
  entry: Entry,
  find: Finder,
  place: string,
  stored: AbsenceCalendar | null,
): Parameters {
  const { person } = entry;
  const at = `${place}.person`;
  if (stored !== null && person !== undefined) find.fault(at, "cannot be changed");
  const own = stored === null && find.idOf("account_user", person, at);
  return { ...pick(entry, CALENDAR), ...(own && { account_user_id: own }) };
}
