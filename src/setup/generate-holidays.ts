// Generates the public holidays that the worker reads. Run `npm run holidays` after an update of
// date-holidays, and once a year after `HOLIDAY_YEARS` has been moved on.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { countries, holidayFileOf, licenceOf, textOfFile, textOfRegions } from "./holiday-files.ts";

const folder = join(import.meta.dirname, "../domain/oncall/holidays/data");
const library = createRequire(import.meta.url).resolve("date-holidays/package.json");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const regions: Record<string, string> = {};
for (const country of countries()) {
  const file = holidayFileOf(country);
  Object.assign(regions, file.regions);
  writeFileSync(join(folder, `${country}.json`), textOfFile(file));
}
writeFileSync(join(folder, "regions.json"), textOfRegions(regions));
const { version } = JSON.parse(readFileSync(library, "utf8")) as { readonly version: string };
const libraryLicence = readFileSync(join(library, "../LICENSE"), "utf8");
writeFileSync(join(folder, "LICENSE"), licenceOf(libraryLicence, version));
