import { eq } from "drizzle-orm";
import { routers } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../../services/shared/context.ts";
import { deleteRecord, selectReferencesToRouter } from "../../../services/shared/delete-record.ts";
import { routerRecords } from "./router-records.ts";

/**
 * Deletes a router.
 *
 * @returns null; 404; 409 while an integration, another router or an unfinished alert refers to it
 */
export function deleteRouter(context: Context, identifier: Identifier): Promise<Refusal | null> {
  return deleteRecord(context, routerRecords, identifier, {
    reasons: selectReferencesToRouter(context.actor.accountId),
    deletes: (id) => [build.delete(routers).where(eq(routers.id, id))],
  });
}
