import { type HolidayQuery, unknownRegion } from "../../../domain/oncall/holidays/holiday-query.ts";
import { type Holiday, holidaysBetween } from "../../../domain/oncall/holidays/holidays.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import type { Context } from "../../change/context.ts";
import type { Holiday as ShownHoliday } from "./contract.ts";
import { findHolidayRegion } from "./holiday-files.ts";

/** Lists the public holidays of a region between two dates, by date; 422 for an unknown region. */
export async function listHolidays(
  { env }: Pick<Context, "env">,
  { region, from, to }: HolidayQuery,
): Promise<readonly ShownHoliday[] | Refusal> {
  const found = await findHolidayRegion(env, region);
  if (found === null) return unknownRegion("region");
  return holidaysBetween(found.file, found.code, from, to).map(showHoliday);
}

/** A holiday in the format of responses. */
export const showHoliday = ({ day, startsAt, name }: Holiday): ShownHoliday => ({
  date: formatInstant(day * DAY).slice(0, 10),
  starts_at: formatInstant(startsAt).slice(11, 16),
  name,
});
