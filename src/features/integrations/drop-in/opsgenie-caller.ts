// Authenticates callers of Opsgenie's read endpoints: an integration, identified by its intake key,
// which grants only its own alerts and the related heartbeats. The caller and the requested rows
// are read in one D1 batch.
import type { SQLWrapper } from "drizzle-orm";
import type { Context } from "hono";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { batch, type RowsOf } from "../../../kernel/db/select.ts";
import { countFailure, lookUpCredential } from "../../../kernel/http/failure-limit.ts";
import { checkRateLimit } from "../../../kernel/http/rate-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { isIntakeKey } from "../../../products/authentication.ts";
import {
  type IntegrationRow,
  selectIntegrationNamed,
  toIntegrationConfiguration,
} from "../inbox/integration-rows.ts";
import { entranceOfKey } from "../receive/deliver-by-key.ts";
import { genieKeyOf, opsgenieRefusal, opsgenieResponse } from "./opsgenie-responses.ts";

const UNAUTHENTICATED = refuse("unauthenticated", "the key is missing or wrong");
const DISABLED = refuse("not_supported", "the integration is disabled");

type Queries = readonly SQLWrapper[];

/** An authenticated read. */
export type AuthenticatedRead<Reads extends Queries = readonly []> = {
  readonly context: Context<Environment>;
  readonly caller: IntegrationConfiguration;
  /** The rows of each query. */
  readonly rows: RowsOf<Reads>;
  readonly started: number;
};

/**
 * Authenticates the caller, runs the queries and builds the response from their rows; `queries`
 * receives the integration's `prefix_id`.
 */
export async function readAsIntegration<const Reads extends Queries>(
  context: Context<Environment>,
  queries: (prefixId: string) => Reads,
  answer: (read: AuthenticatedRead<Reads>) => Promise<Response> | Response,
): Promise<Response> {
  const started = Date.now();
  const read = await readAsCaller(context, queries);
  return isRefusal(read)
    ? opsgenieResponse(context, started, opsgenieRefusal(read))
    : answer({ ...read, context, started });
}

type CallersRead<Reads extends Queries> = Pick<AuthenticatedRead<Reads>, "caller" | "rows">;

async function readAsCaller<Reads extends Queries>(
  context: Context<Environment>,
  queries: (prefixId: string) => Reads,
): Promise<CallersRead<Reads> | Refusal> {
  const { env, req } = context;
  const key = genieKeyOf(context);
  const address = req.header("cf-connecting-ip") ?? null;
  const entrance = entranceOfKey(env, key);
  if (entrance === null) return (await countFailure(env, address)) ?? UNAUTHENTICATED;
  const { name, provenance } = entrance;
  // Limited by key, as the API: requests with a wrong key do not use up the integration's rate.
  const credential = `genie ${entrance.credential}`;
  const limited = await checkRateLimit(env, env.API_RATE, credential);
  if (limited) return limited;
  const found = await lookUpCredential({ env, address, credential, provenance }, async () => {
    const read = async (isCurrent: boolean) => {
      const [[row], rows] = await readCaller(context, name, queries(name), isCurrent);
      const caller = row && toIntegrationConfiguration(row);
      return caller && isIntakeKey(key, caller, Date.now()) ? { caller, rows } : null;
    };
    // A replica may not have a new key yet; a wrong one is cached as wrong.
    return (await read(false)) ?? read(true);
  });
  if (found === null || isRefusal(found)) return found ?? UNAUTHENTICATED;
  return found.caller.enabled ? found : DISABLED;
}

/** Reads the integration of this name and the rows of the queries in one batch. */
async function readCaller<Reads extends Queries>(
  context: Context<Environment>,
  name: string,
  queries: Reads,
  isCurrent: boolean,
): Promise<readonly [readonly IntegrationRow[], RowsOf<Reads>]>;
async function readCaller(
  context: Context<Environment>,
  name: string,
  queries: Queries,
  isCurrent: boolean,
): Promise<readonly [readonly IntegrationRow[], RowsOf<Queries>]> {
  const [callers, ...rows] = await readRows(
    context,
    [selectIntegrationNamed(name), ...queries],
    isCurrent,
  );
  return [callers, rows];
}

/** Runs the queries in one batch; returns the rows of each. `isCurrent`: read from the primary. */
export function readRows<const Reads extends Queries>(
  { env, req }: Context<Environment>,
  queries: Reads,
  isCurrent = false,
): Promise<RowsOf<Reads>> {
  return batch(openSession(env.DB, req.header("x-d1-bookmark") ?? null, isCurrent), queries);
}
