import { sql } from "drizzle-orm";
import {
  datesFaults,
  MOST_COMPANY_HOLIDAYS,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { all } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { companyHolidays } from "../../schema/company-holidays.ts";
import { changeOfHolidays } from "../absence-calendars/absence-change.ts";
import { followHolidays } from "../absence-calendars/follow-holidays.ts";
import { companyHolidayRecords, selectCompanyHolidays } from "./company-holiday-records.ts";
import type { CompanyHoliday } from "./contract.ts";
import type { CreateCompanyHoliday } from "./parameters.ts";

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
): Promise<CompanyHoliday | Refusal> {
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
  const others = context.preview ? await all(db, selectCompanyHolidays(accountId)) : [];
  if (others.length >= MOST_COMPANY_HOLIDAYS) return TOO_MANY;
  const previewed = context.preview && {
    onCall: await changeOfHolidays(context, [...others, holiday]),
  };
  try {
    const change = { verb: "create", records, id, before: null, writes, ...previewed };
    const { after } = await commitChange(context, change);
    followHolidays(context);
    return after ?? notFound("company_holiday");
  } catch (error) {
    if (isPreconditionFailed(error)) return TOO_MANY;
    throw error;
  }
}
