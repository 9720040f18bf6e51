import { sql } from "drizzle-orm";
import {
  savedFilterRecords,
  savedFilterScope,
} from "../../../db/alerts/lists/saved-filter-records.ts";
import { oneRecord } from "../../../db/records/records.ts";
import { savedFilters } from "../../../db/schema/alert-lists.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";

/** Deletes a saved filter of the actor; null, or 404. */
export async function deleteSavedFilter(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = savedFilterScope(actor);
  const deletion = sql`delete from ${savedFilters}
    where ${oneRecord(savedFilters, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: savedFilterRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  return before ? null : notFound("saved_filter");
}
