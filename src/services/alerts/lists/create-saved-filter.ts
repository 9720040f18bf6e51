import type { SavedFilter } from "../../../contract/alerts/lists/saved-filter.ts";
import type { CreateSavedFilter } from "../../../contract/alerts/lists/saved-filter-parameters.ts";
import {
  savedFilterRecords,
  selectOtherFilters,
} from "../../../db/alerts/lists/saved-filter-records.ts";
import { plainColumns } from "../../../db/records/plain-columns.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { savedFilters } from "../../../db/schema/alert-lists.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { MAX_SAVED_FILTERS } from "../../../domain/alerts/lists/saved-filter.ts";
import { type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
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
