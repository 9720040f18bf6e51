// A holiday of the account's own, beside the public holidays of a region.
import * as z from "zod";
import { common, date, flag, text } from "../../../kernel/contract/fields.ts";

export const CompanyHoliday = z.object({
  ...common("company_holiday"),
  name: text("The name.", "Company retreat"),
  start_date: date("The first local date, `YYYY-MM-DD`.", "2026-06-12"),
  end_date: date("The last local date, inclusive. By default the first.", "2026-06-12"),
  repeats_yearly: flag("Whether it is on the same dates of every later year.", false),
});
export type CompanyHoliday = z.output<typeof CompanyHoliday>;
