import { eq, ne, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { MAX_SAVED_FILTERS } from "../../../domain/alerts/saved-filter.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { first } from "../../../kernel/db/select.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { savedFilters } from "../../schema/alert-lists.ts";
import type { SavedFilter } from "./contract.ts";
import type { CreateSavedFilter, UpdateSavedFilter } from "./parameters.ts";
import {
  savedFilterRecords,
  savedFilterScope,
  selectOtherFilters,
  selectStoredFilter,
} from "./saved-filter-records.ts";
import { filterReferences, NAME_TAKEN, storedFilter } from "./saved-filter-writes.ts";

const FULL = refuse("conflict", `a person can save at most ${MAX_SAVED_FILTERS} filters`);

/**
 * Saves a filter of the list of alerts for the actor.
 *
 * @param id the ULID of the new filter
 * @returns the filter; 409 over the limit; 422 for an unknown team or a name that is taken
 */
export async function createSavedFilter(
  context: Context<MemberActor>,
  id: string,
  body: CreateSavedFilter,
): Promise<SavedFilter | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const others = selectOtherFilters(accountId, accountUserId, id, body.name);
  const { resolved, rows } = await resolveWith(db, accountId, filterReferences(body), [others]);
  const [[found]] = rows;
  const isTaken = found !== undefined && found.sameName > 0;
  const taken = isTaken ? NAME_TAKEN.errors : [];
  if (!resolved.ok) return refuseFields([...taken, ...resolved.errors]);
  if (isTaken) return NAME_TAKEN;
  if (found !== undefined && found.count >= MAX_SAVED_FILTERS) return FULL;
  const row = {
    ...newIdentity("saved_filter", now, id),
    accountId,
    accountUserId,
    ...plainColumns(savedFilters, body, "filter"),
    name: body.name,
    filter: storedFilter(body.filter, resolved),
  };
  // Of two requests with one name at the same time, one writes nothing.
  const writes = [build.insert(savedFilters).values(row).onConflictDoNothing()];
  const change = { verb: "create", records: savedFilterRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  return after ?? NAME_TAKEN;
}

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
