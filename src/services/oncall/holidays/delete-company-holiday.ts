import { companyHolidayRecords } from "../../../db/oncall/holidays/company-holiday-records.ts";
import { oneRecord } from "../../../db/records/records.ts";
import { companyHolidays } from "../../../db/schema/calendars/company-holidays.ts";
import { build } from "../../../db/shared/database.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { followHolidays } from "../unavailability/follow-holidays.ts";

/** Deletes a company holiday; null, or 404. */
export async function deleteCompanyHoliday(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: companyHolidayRecords,
    identifier,
    writes: [
      build.delete(companyHolidays).where(oneRecord(companyHolidays, accountId, identifier)),
    ],
  });
  if (before === null) return notFound("company_holiday");
  followHolidays(context);
  return null;
}
