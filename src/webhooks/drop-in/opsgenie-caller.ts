// Authenticates callers of Opsgenie's read endpoints: an integration, identified by its intake key,
// which grants only its own alerts and the related heartbeats. The caller and the requested rows
// are read in one D1 batch.
import type { SQL } from "drizzle-orm";
import type { Context } from "hono";
import { hashOfKey } from "../../db/access/api-keys.ts";
import { toIntegrationConfiguration } from "../../db/integrations/integration-rows.ts";
import { selectCaller } from "../../db/integrations/opsgenie-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { openSession, statement } from "../../db/shared/database.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import {
  countFailure,
  lookUpCredential,
  refuseIfBlocked,
} from "../../http/access/failure-limit.ts";
import { checkRateLimit } from "../../http/access/rate-limit.ts";
import type { Environment } from "../../http/serve.ts";
import { isIntakeKey } from "../../integrations/credentials/authentication.ts";
import { inboxNameOfKey } from "../deliver-by-key.ts";
import { genieKeyOf, opsgenieRefusal, opsgenieResponse } from "./opsgenie-responses.ts";

const UNAUTHENTICATED = refuse("unauthenticated", "the key is missing or wrong");
const DISABLED = refuse("not_supported", "the integration is disabled");

export type QueryRows = readonly (readonly RawRow[])[];

/** An authenticated read. */
export type AuthenticatedRead = {
  readonly context: Context<Environment>;
  readonly caller: IntegrationConfiguration;
  /** The rows of each query. */
  readonly rows: QueryRows;
  readonly started: number;
};

/**
 * Authenticates the caller, runs the queries and builds the response from their rows; `queries`
 * receives the integration's `prefix_id`.
 */
export async function readAsIntegration(
  context: Context<Environment>,
  queries: (prefixId: string) => readonly SQL[],
  answer: (read: AuthenticatedRead) => Promise<Response> | Response,
): Promise<Response> {
  const started = Date.now();
  const read = await readAsCaller(context, queries);
  return isRefusal(read)
    ? opsgenieResponse(context, started, opsgenieRefusal(read))
    : answer({ ...read, context, started });
}

async function readAsCaller(
  context: Context<Environment>,
  queries: (prefixId: string) => readonly SQL[],
): Promise<{ readonly caller: IntegrationConfiguration; readonly rows: QueryRows } | Refusal> {
  const { env, req } = context;
  const key = genieKeyOf(context);
  const address = req.header("cf-connecting-ip") ?? null;
  const name = inboxNameOfKey(key);
  if (name === null)
    return refuseIfBlocked(env, address) ?? (await countFailure(env, address)) ?? UNAUTHENTICATED;
  // Limited by key: requests with a wrong key do not use up the integration's rate.
  const credential = `genie ${hashOfKey(key)}`;
  const limited = await checkRateLimit(env, env.INTEGRATION_RATE, credential);
  if (limited) return limited;
  const found = await lookUpCredential(env, address, credential, async () => {
    const [callers, ...rows] = await readRows(context, [selectCaller(name), ...queries(name)]);
    const caller = callers?.[0] && toIntegrationConfiguration(callers[0]);
    return caller && isIntakeKey(key, caller, Date.now()) ? { caller, rows } : null;
  });
  if (found === null || isRefusal(found)) return found ?? UNAUTHENTICATED;
  return found.caller.enabled ? found : DISABLED;
}

/** Runs the queries in one batch; returns the rows of each. */
export async function readRows(
  { env, req }: Context<Environment>,
  queries: readonly SQL[],
): Promise<QueryRows> {
  const db = openSession(env.DB, req.header("x-d1-bookmark") ?? null, false);
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  return results.map(({ results: found }) => found);
}
