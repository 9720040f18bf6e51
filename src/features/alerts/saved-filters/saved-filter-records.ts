// Saved filters: what a record shows, and what a write reads.
import { eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { commonAttributes, nestedAs, reference, string } from "../../../kernel/db/attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { savedFilters } from "../../schema/alert-lists.ts";
import { accountUsers } from "../../schema/people.ts";

export const savedFilterRecords: Records<"SavedFilter"> = {
  kind: "saved_filter",
  shows: "SavedFilter",
  from: savedFilters,
  accountId: savedFilters.accountId,
  id: savedFilters.id,
  prefixId: savedFilters.prefixId,
  attributes: {
    ...commonAttributes(savedFilters),
    account_user_id: reference(savedFilters.accountUserId, savedFilters.accountId, accountUsers),
    name: string(savedFilters.name),
    filter: nestedAs(savedFilters.filter, (filter) => filter),
  },
  search: [savedFilters.name],
};

/** Each person sees only their own filters. */
export const savedFilterScope = ({ accountUserId }: Pick<MemberActor, "accountUserId">): SQL =>
  eq(savedFilters.accountUserId, accountUserId);

/** Selects the stored filter of a person, as a write reads it. */
export const selectStoredFilter = (
  accountId: string,
  accountUserId: string,
  identifier: Identifier,
) =>
  select(
    { id: savedFilters.id, updatedAt: savedFilters.updatedAt },
    sql`from ${savedFilters} where ${oneRecord(savedFilters, accountId, identifier)}
      and ${savedFilterScope({ accountUserId })}`,
  );

/** Selects how many filters a person has apart from one, and whether one has the name. */
export const selectOtherFilters = (
  accountId: string,
  accountUserId: string,
  id: string,
  name: string | null,
) =>
  select(
    {
      count: sql<number>`count(*)`,
      sameName: sql<number>`count(iif(${savedFilters.name} = ${name}, 1, null))`,
    },
    sql`from ${savedFilters} where ${savedFilters.accountId} = ${accountId}
      and ${savedFilterScope({ accountUserId })} and ${savedFilters.id} <> ${id}`,
  );
