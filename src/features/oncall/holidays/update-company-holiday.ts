import { eq } from "drizzle-orm";
import {
  type CompanyHoliday as CompanyHolidayValues,
  datesFaults,
} from "../../../domain/oncall/holidays/company-holidays.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { all, first } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { companyHolidays } from "../../schema/company-holidays.ts";
import { changeOfHolidays } from "../absence-calendars/absence-change.ts";
import { followHolidays } from "../absence-calendars/follow-holidays.ts";
import type { OnCallChange } from "../on-call/preview-on-call-change.ts";
import { companyHolidayRecords, selectCompanyHolidays } from "./company-holiday-records.ts";
import type { CompanyHoliday } from "./contract.ts";
import type { UpdateCompanyHoliday } from "./parameters.ts";

/**
 * Changes a company holiday (contract 2, Company holidays).
 *
 * @returns the holiday; 404; 422 for an end before the start
 */
export function updateCompanyHoliday(
  context: Context,
  identifier: Identifier,
  body: UpdateCompanyHoliday,
): Promise<CompanyHoliday | Refusal> {
  const { db, actor, now } = context;
  const records = companyHolidayRecords;
  return retryOnConflict(async () => {
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
    const previewed = context.preview && { onCall: await changeOf(context, id, columns) };
    const change = { verb: "update", records, id, before, writes, ...previewed };
    const { after } = await commitChange(context, change);
    followHolidays(context);
    return after ?? notFound("company_holiday");
  });
}

/** What it does to who is on call that a holiday has other values. */
async function changeOf(
  context: Context,
  id: string,
  values: Partial<CompanyHolidayValues>,
): Promise<OnCallChange> {
  const stored = await all(context.db, selectCompanyHolidays(context.actor.accountId));
  return changeOfHolidays(
    context,
    stored.map((it) => (it.id === id ? { ...it, ...values } : it)),
  );
}
