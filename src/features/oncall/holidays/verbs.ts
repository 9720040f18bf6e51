import { eq, sql } from "drizzle-orm";
import {
  type CompanyHoliday as CompanyHolidayValues,
  datesFaults,
  MOST_COMPANY_HOLIDAYS,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { all, first } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { readHolidays } from "../../people/users/follow-time-zone.ts";
import { companyHolidays } from "../../schema/company-holidays.ts";
import { changeOfHolidays } from "../absence-calendars/absence-change.ts";
import { selectCompanyHolidayCalendars } from "../absence-calendars/rows.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import { companyHolidayRecords, selectCompanyHolidays } from "./company-holiday-records.ts";
import type { HolidayRegion } from "./contract.ts";
import { readRegionNames } from "./holiday-files.ts";
import type { CreateCompanyHoliday, UpdateCompanyHoliday } from "./parameters.ts";

const TOO_MANY = refuse(
  "invalid",
  `an account has at most ${MOST_COMPANY_HOLIDAYS} company holidays`,
  "name",
);

/**
 * Creates a company holiday (contract 2, Company holidays).
 *
 * @param id the ULID of the new holiday
 * @returns the holiday; 422 for an end before the start, or over the limit of an account
 */
export async function createCompanyHoliday(
  context: Context,
  id: string,
  body: CreateCompanyHoliday,
): Promise<Decision<"CompanyHoliday"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const records = companyHolidayRecords;
  const { name, start_date: startDate, repeats_yearly: repeatsYearly = false } = body;
  const dates = { startDate, endDate: body.end_date ?? startDate };
  const faults = datesFaults(dates);
  if (faults.length > 0) return refuseFields(faults);
  const identity = newIdentity("company_holiday", now, id);
  const plain = plainColumns(companyHolidays, body);
  const row = { ...identity, accountId, ...plain, name, ...dates, repeatsYearly };
  const writes = [
    build.insert(companyHolidays).values(row),
    assertPrecondition(sql`(select count(*) from ${companyHolidays}
      where ${companyHolidays.accountId} = ${accountId}) <= ${MOST_COMPANY_HOLIDAYS}`),
  ];
  const holiday = { name, ...dates, repeatsYearly };
  const others = await all(db, selectCompanyHolidays(accountId));
  if (others.length >= MOST_COMPANY_HOLIDAYS) return TOO_MANY;
  return {
    ...{ verb: "create", records, id, before: null, writes },
    effect: async () => effectOf(await changeOfHolidays(context, [...others, holiday])),
    answer: ({ after }) => {
      followHolidays(context);
      return after ?? notFound("company_holiday");
    },
  };
}

/**
 * Changes a company holiday (contract 2, Company holidays).
 *
 * @returns the holiday; 404; 422 for an end before the start
 */
export async function updateCompanyHoliday(
  context: Context,
  identifier: Identifier,
  body: UpdateCompanyHoliday,
): Promise<Decision<"CompanyHoliday"> | Refusal> {
  const { db, actor, now } = context;
  const records = companyHolidayRecords;
  const before = await first(db, selectRecord(records, actor.accountId, identifier));
  if (!before) return notFound("company_holiday");
  const { id } = before;
  const startDate = body.start_date ?? before.start_date;
  const otherwise = body.end_date === null ? startDate : before.end_date;
  const dates = { startDate, endDate: body.end_date ?? otherwise };
  const faults = datesFaults(dates);
  if (faults.length > 0) return refuseFields(faults);
  const updatedAt = Date.parse(before.updated_at);
  const columns = {
    ...plainColumns(companyHolidays, body),
    ...dates,
    updatedAt: nextUpdatedAt(updatedAt, now),
  };
  const writes = [
    assertUnchanged(companyHolidays, id, updatedAt),
    build.update(companyHolidays).set(columns).where(eq(companyHolidays.id, id)),
  ];
  return {
    ...{ verb: "update", records, id, before, writes },
    effect: async () => effectOf(await changeOf(context, id, columns)),
    answer: ({ after }) => {
      followHolidays(context);
      return after ?? notFound("company_holiday");
    },
  };
}

/** What it does to who is on call that a holiday has other values. */
async function changeOf(
  context: Context,
  id: string,
  values: Partial<CompanyHolidayValues>,
): Promise<PreviewedChange> {
  const stored = await all(context.db, selectCompanyHolidays(context.actor.accountId));
  return changeOfHolidays(
    context,
    stored.map((it) => (it.id === id ? { ...it, ...values } : it)),
  );
}

/** Deletes a company holiday; null, or 404. */
export async function deleteCompanyHoliday(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"CompanyHoliday", null> | Refusal> {
  const { db, actor } = context;
  const { accountId } = actor;
  const records = companyHolidayRecords;
  const before = await first(db, selectRecord(records, accountId, identifier));
  if (!before) return notFound("company_holiday");
  const { id } = before;
  const writes = [
    assertUnchanged(companyHolidays, id, Date.parse(before.updated_at)),
    build.delete(companyHolidays).where(eq(companyHolidays.id, id)),
  ];
  return {
    ...{ verb: "delete", records, id, before, writes },
    effect: async () => {
      const stored = await all(db, selectCompanyHolidays(accountId));
      const others = stored.filter((it) => it.id !== id);
      return effectOf(await changeOfHolidays(context, others));
    },
    answer: () => {
      followHolidays(context);
      return null;
    },
  };
}

/** Lists all regions with public holidays: each country, followed by its subdivisions. */
export async function listHolidayRegions({
  env,
}: Pick<Context, "env">): Promise<readonly HolidayRegion[]> {
  return Object.entries(await readRegionNames(env)).map(([code, name]) => ({
    code,
    name,
    parent_code: code.includes("-") ? code.slice(0, code.lastIndexOf("-")) : null,
  }));
}

/** Reads the account's absence calendars that have the company holidays, after the response. */
function followHolidays({ env, db, actor, waitUntil }: Context): void {
  const calendars = () => all(db, selectCompanyHolidayCalendars(actor.accountId));
  waitUntil(calendars().then((found) => readHolidays(env, found)));
}
