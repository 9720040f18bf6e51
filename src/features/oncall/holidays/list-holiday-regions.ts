import type { Context } from "../../change/context.ts";
import { readRegionNames } from "./holiday-files.ts";
import type { HolidayRegion } from "./public-holiday-contract.ts";

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
