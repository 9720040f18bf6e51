// Which people are in the account now. Who has left stays in what they served.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, select } from "../../../kernel/db/select.ts";
import { accountUsers } from "../../schema/people.ts";

/** Selects the ids of the people who are in the account. */
export const selectPresent = (accountId: string, ids: readonly string[]) =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.id} in (select value from json_each(${JSON.stringify(ids)}))`,
  );

/** The ids of the people among these who have left the account. */
export async function readLeavers(
  db: Connection,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = new Set(ids);
  if (named.size === 0) return named;
  const present = await all(db, selectPresent(accountId, [...named]));
  for (const { id } of present) named.delete(id);
  return named;
}
