// A holiday of the account's own, beside the public holidays of a region.
import * as z from "zod";
import { common, date, flag, text } from "../../../kernel/contract/fields.ts";
import { list } from "../../../kernel/contract/list.ts";

export const CompanyHoliday = z.object({
  ...common("company_holiday"),
  name: text("The name.", "Company retreat"),
  start_date: date("The first local date, `YYYY-MM-DD`.", "2026-06-12"),
  end_date: date("The last local date, inclusive. By default the first.", "2026-06-12"),
  repeats_yearly: flag("Whether it is on the same dates of every later year.", false),
});
export type CompanyHoliday = z.output<typeof CompanyHoliday>;

export const Holiday = z.object({
  date: text("The local date.", "2026-01-06"),
  starts_at: text(
    "The local time at which it begins; it ends with the date. `00:00` is a whole day.",
    "00:00",
  ),
  name: text("The name in English, where there is one.", "Epiphany"),
});
export type Holiday = z.output<typeof Holiday>;

export const HolidayRegion = z.object({
  code: text(
    "ISO 3166-1 alpha-2 for a country, followed by the code of a subdivision, usually of ISO 3166-2.",
    "DE-BY",
  ),
  name: text("The name.", "Bayern"),
  parent_code: text("The region that it is a part of.", "DE").nullable(),
});
export type HolidayRegion = z.output<typeof HolidayRegion>;

export const HolidayList = list(Holiday);
export type HolidayList = z.output<typeof HolidayList>;

export const HolidayRegionList = list(HolidayRegion);
export type HolidayRegionList = z.output<typeof HolidayRegionList>;
