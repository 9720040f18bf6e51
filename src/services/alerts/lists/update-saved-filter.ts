import { eq, ne, sql } from "drizzle-orm";
import type { SavedFilter } from "../../../contract/alerts/lists/saved-filter.ts";
import type { UpdateSavedFilter } from "../../../contract/alerts/lists/saved-filter-parameters.ts";
import {
  savedFilterRecords,
  savedFilterScope,
  selectOtherFilters,
  selectStoredFilter,
} from "../../../db/alerts/lists/saved-filter-records.ts";
import { plainColumns } from "../../../db/records/plain-columns.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { savedFilters } from "../../../db/schema/alert-lists.ts";
import { build } from "../../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import { assertPrecondition } from "../../../db/shared/precondition.ts";
import { first } from "../../../db/shared/select.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { filterReferences, NAME_TAKEN, storedFilter } from "./saved-filter-writes.ts";

/**
 * Renames a saved filter of the actor, or changes what it shows.
 *
 * @returns the filter; 404; 422 for an unknown team or a name that is taken
 */
export function updateSavedFilter(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateSavedFilter,
): Promise<SavedFilter | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  return retryOnConflict(async () => {
    const scope = savedFilterScope(actor);
    const { resolved, rows } = await resolveWith(db, accountId, filterReferences(body), [
      selectStoredFilter(accountId, accountUserId, identifier),
      selectRecord(savedFilterRecords, accountId, identifier, scope),
    ]);
    const [[stored], [before]] = rows;
    if (!stored || !before) return notFound("saved_filter");
    if (!resolved.ok) return refuseFields(resolved.errors);
    const { name, filter } = body;
    const named = (wanted: string) => sql`select 1 from ${savedFilters}
      where ${savedFilters.accountId} = ${accountId} and ${scope}
        and ${savedFilters.name} = ${wanted} and ${ne(savedFilters.id, stored.id)}`;
    const others = selectOtherFilters(accountId, accountUserId, stored.id, name ?? null);
    if (((await first(db, others))?.sameName ?? 0) > 0) return NAME_TAKEN;
    const columns = {
      ...plainColumns(savedFilters, body, "filter"),
      filter: filter && storedFilter(filter, resolved),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(savedFilters, stored.id, stored.updatedAt),
      ...(name === undefined ? [] : [assertPrecondition(sql`not exists (${named(name)})`)]),
      build.update(savedFilters).set(columns).where(eq(savedFilters.id, stored.id)),
    ];
    const change = { verb: "update", records: savedFilterRecords, id: stored.id, before, writes };
    return (await commitChange(context, change)).after ?? notFound("saved_filter");
  });
}
