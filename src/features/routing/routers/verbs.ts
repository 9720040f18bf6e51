import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { deleteRecord, selectReferencesToRouter } from "../../change/delete-record.ts";
import { routers } from "../../schema/integrations.ts";
import { decideNewRouter, decideRouterChange } from "./decide-router.ts";
import type { CreateRouter, UpdateRouter } from "./parameters.ts";
import { columnsOf } from "./router-writes.ts";
import { assertNoLoop, assertReceivers, routerRecords, writeReceivers } from "./rows.ts";

/**
 * Creates a router (contract 2, Routers).
 *
 * @param id the ULID of the new router
 * @returns the router; 422 for unknown receivers, or without exactly one default receiver
 */
export async function createRouter(
  context: Context,
  id: string,
  body: CreateRouter,
): Promise<Decision<"Router"> | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
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
  return {
    ...{ verb: "create", records: routerRecords, id, before: null, writes },
    answer: ({ after }) => after ?? notFound("router"),
  };
}

/**
 * Changes a router (contract 2, Routers).
 *
 * @returns the router; 404; 422 for unknown receivers, without exactly one default receiver, or if
 *   the router would lead back to itself
 */
export async function updateRouter(
  context: Context,
  identifier: Identifier,
  body: UpdateRouter,
): Promise<Decision<"Router"> | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
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
  return {
    ...{ verb: "update", records: routerRecords, id, before, writes },
    answer: ({ after }) => after ?? notFound("router"),
  };
}

/**
 * Deletes a router.
 *
 * @returns null; 404; 409 while an integration, another router or an unfinished alert refers to it
 */
export function deleteRouter(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"Router", null> | Refusal> {
  return deleteRecord(context, routerRecords, identifier, {
    reasons: selectReferencesToRouter(context.actor.accountId),
    deletes: (id) => [build.delete(routers).where(eq(routers.id, id))],
  });
}
