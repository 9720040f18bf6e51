import { eq } from "drizzle-orm";
import { routers } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import type { Router } from "./contract.ts";
import { decideRouterChange } from "./decide-router.ts";
import type { UpdateRouter } from "./parameters.ts";
import { assertNoLoop, assertReceivers, writeReceivers } from "./router-receiver-rows.ts";
import { routerRecords } from "./router-records.ts";
import { columnsOf } from "./router-writes.ts";

/**
 * Changes a router (contract 2, Routers).
 *
 * @returns the router; 404; 422 for unknown receivers, without exactly one default receiver, or if
 *   the router would lead back to itself
 */
export function updateRouter(
  context: Context,
  identifier: Identifier,
  body: UpdateRouter,
): Promise<Router | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const decided = await decideRouterChange(context, identifier, body);
    if (isRefusal(decided)) return decided;
    const { stored, before, defaultReceiver, receivers } = decided;
    const { id, updatedAt } = stored;
    const columns = {
      ...columnsOf(body, defaultReceiver),
      updatedAt: nextUpdatedAt(updatedAt, now),
    };
    const writes = [
      assertUnchanged(routers, id, updatedAt),
      assertReceivers(accountId, [defaultReceiver, ...receivers]),
      build.update(routers).set(columns).where(eq(routers.id, id)),
      ...writeReceivers(accountId, id, receivers),
      assertNoLoop(accountId, id),
    ];
    const change = { verb: "update", records: routerRecords, id, before, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("router");
  });
}
