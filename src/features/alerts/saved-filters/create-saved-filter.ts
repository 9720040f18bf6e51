import type { MemberActor } from "../../../domain/access/actor.ts";
import { MAX_SAVED_FILTERS } from "../../../domain/alerts/saved-filter.ts";
import { type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { savedFilters } from "../../schema/alert-lists.ts";
import type { SavedFilter } from "./contract.ts";
import type { CreateSavedFilter } from "./parameters.ts";
import { savedFilterRecords, selectOtherFilters } from "./saved-filter-records.ts";
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
