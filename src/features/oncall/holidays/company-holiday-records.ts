// Company holidays: what a record shows, and what the calculations read (contract 2, Company
// holidays).

import { sql } from "drizzle-orm";
import type { CompanyHoliday } from "../../../domain/oncall/holidays/company-holidays.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { companyHolidays } from "../../schema/company-holidays.ts";

export const companyHolidayRecords: Records<"CompanyHoliday"> = {
  kind: "company_holiday",
  shows: "CompanyHoliday",
  from: companyHolidays,
  accountId: companyHolidays.accountId,
  id: companyHolidays.id,
  prefixId: companyHolidays.prefixId,
  attributes: {
    ...plainAttributes("CompanyHoliday", companyHolidays, []),
  },
  search: [companyHolidays.name],
  total: "company_holidays",
};

type StoredCompanyHoliday = CompanyHoliday & { readonly id: string };

/** Selects the company holidays of an account. */
export const selectCompanyHolidays = (accountId: string): Select<StoredCompanyHoliday> =>
  select(
    {
      id: companyHolidays.id,
      name: companyHolidays.name,
      startDate: companyHolidays.startDate,
      endDate: companyHolidays.endDate,
      repeatsYearly: companyHolidays.repeatsYearly,
    },
    sql`from ${companyHolidays} where ${companyHolidays.accountId} = ${accountId}`,
  );
