// Reads the files of public holidays from the worker's static assets. The files are not in the
// worker's bundle: a country's is fetched when it is first needed, and stays in the isolate.
import {
  countryOf,
  findRegion,
  type HolidayFile,
} from "../../../domain/oncall/holidays/holidays.ts";

/** The binding needs a host, of any name. */
const ORIGIN = "https://assets.invalid";

const cache = new Map<string, unknown>();

/** Reads a file; null if there is none. Throws if the assets cannot be read. */
async function readFile<Content>(env: Cloudflare.Env, name: string): Promise<Content | null> {
  const known = cache.get(name);
  if (known !== undefined) return known as Content;
  const response = await env.ASSETS.fetch(`${ORIGIN}/holidays/${name}.json`);
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok) throw new Error(`the holidays of ${name} answered ${response.status}`);
  const content = await response.json<Content>();
  cache.set(name, content);
  return content;
}

/** A region with the file of its country. */
export type HolidayRegionFile = { readonly code: string; readonly file: HolidayFile };

/** Finds a region by its code, in any case; null if there is no such region. */
export async function findHolidayRegion(
  env: Cloudflare.Env,
  text: string,
): Promise<HolidayRegionFile | null> {
  const country = countryOf(text);
  const file = country && (await readFile<HolidayFile>(env, country));
  const code = file && findRegion(file, text);
  return file && code ? { code, file } : null;
}

/** The names of all regions by code; a country is followed by its subdivisions. */
export async function readRegionNames(
  env: Cloudflare.Env,
): Promise<Readonly<Record<string, string>>> {
  const names = await readFile<Readonly<Record<string, string>>>(env, "regions");
  if (names === null) throw new Error("the assets contain no public holidays: npm run assets");
  return names;
}
