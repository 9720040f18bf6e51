// Reads the set-up of integration types from the worker's static assets. It is not in the worker's
// bundle: the file is fetched when it is first needed, and stays in the isolate.
import { logFault } from "../../../kernel/db/log-fault.ts";
import type { StoredSetUp, StoredSetUps } from "../../../products/set-up.ts";

/** The binding needs a host, of any name. */
const ADDRESS = "https://assets.invalid/integrations/set-ups.json";

const NONE: StoredSetUp = { steps: [], snippets: [] };

let cached: StoredSetUps | null = null;

/** Finds the set-up of the type with a name. */
export type SetUpOf = (name: string) => StoredSetUp;

/**
 * Reads the set-ups of all types. Without the file, or while it cannot be read, types have none:
 * integrations work in a deployment whose assets were not built, too.
 */
export async function readSetUps(env: Cloudflare.Env): Promise<SetUpOf> {
  const setUps = cached ?? (await fetchSetUps(env));
  return (name) => setUps[name] ?? NONE;
}

async function fetchSetUps(env: Cloudflare.Env): Promise<StoredSetUps> {
  try {
    const response = await env.ASSETS.fetch(ADDRESS);
    if (response.ok) {
      cached = await response.json<StoredSetUps>();
      return cached;
    }
    await response.body?.cancel();
    console.error({ message: "the assets contain no set-ups: npm run assets" });
  } catch (error) {
    logFault("the set-ups could not be read", error);
  }
  return {};
}
