import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { savedFilters } from "../../schema/alert-lists.ts";
import { savedFilterRecords, savedFilterScope } from "./saved-filter-records.ts";

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
