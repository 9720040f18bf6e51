import { routers } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import type { Router } from "./contract.ts";
import { decideNewRouter } from "./decide-router.ts";
import type { CreateRouter } from "./parameters.ts";
import { assertReceivers, writeReceivers } from "./router-receiver-rows.ts";
import { routerRecords } from "./router-records.ts";
import { columnsOf } from "./router-writes.ts";

/**
 * Creates a router (contract 2, Routers).
 *
 * @param id the ULID of the new router
 * @returns the router; 422 for unknown receivers, or without exactly one default receiver
 */
export function createRouter(
  context: Context,
  id: string,
  body: CreateRouter,
): Promise<Router | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const decided = await decideNewRouter(context, body);
    if (isRefusal(decided)) return decided;
    const { defaultReceiver, receivers } = decided;
    const identity = newIdentity("router", now, id);
    const row = { ...identity, accountId, ...columnsOf(body, defaultReceiver), name: body.name };
    const writes = [
      assertReceivers(accountId, [defaultReceiver, ...receivers]),
      build.insert(routers).values(row),
      ...writeReceivers(accountId, row.id, receivers),
    ];
    const change = { verb: "create", records: routerRecords, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("router");
  });
}
