// Public holidays by region (contract 2, Public holidays).
import * as z from "zod";
import { text } from "../../../kernel/contract/fields.ts";
import { list } from "../../../kernel/contract/list.ts";

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
