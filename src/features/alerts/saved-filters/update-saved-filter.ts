import { eq, ne, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { first } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { savedFilters } from "../../schema/alert-lists.ts";
import type { SavedFilter } from "./contract.ts";
import type { UpdateSavedFilter } from "./parameters.ts";
import {
  savedFilterRecords,
  savedFilterScope,
  selectOtherFilters,
  selectStoredFilter,
} from "./saved-filter-records.ts";
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
