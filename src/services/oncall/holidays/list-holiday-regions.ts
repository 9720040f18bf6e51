import type { HolidayRegion } from "../../../contract/oncall/holidays/holiday.ts";
import { readRegionNames } from "../../../db/oncall/holidays/holiday-files.ts";
import type { Context } from "../../shared/context.ts";

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
