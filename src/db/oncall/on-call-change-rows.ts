// Possible changes of who is on call: triggers write a row with every such change, and it is
// deleted once the schedule's or team's object has checked.
import { type SQL, sql } from "drizzle-orm";
import { onCallChanges } from "../schema/bookkeeping.ts";
import { teams } from "../schema/oncall.ts";
import type { Connection } from "../shared/database.ts";
import { all, parsed, type RowOf, select } from "../shared/select.ts";

const changeColumns = {
  /** A schedule's or a team's id. */
  id: onCallChanges.id,
  accountId: onCallChanges.accountId,
  kind: onCallChanges.kind,
  version: onCallChanges.version,
  /** For a schedule: the teams that use it. */
  teamIds: parsed<readonly string[]>(sql`(select json_group_array(${teams.id}) from ${teams}
    where ${teams.accountId} = ${onCallChanges.accountId}
      and ${teams.scheduleId} = ${onCallChanges.id})`),
};

export type OnCallChange = RowOf<typeof changeColumns>;

/** Reads changes that are still to be announced, of one account (null: of all), at most `most`. */
export async function readOnCallChanges(
  db: Connection,
  accountId: string | null,
  most: number,
): Promise<OnCallChange[]> {
  const ofAccount = accountId === null ? sql`true` : sql`${onCallChanges.accountId} = ${accountId}`;
  const query = select(changeColumns, sql`from ${onCallChanges} where ${ofAccount} limit ${most}`);
  return all(db, query);
}

/** Deletes changes, unless there was another change of the same record in the meantime. */
export function deleteOnCallChanges(changes: readonly OnCallChange[]): SQL {
  const done = changes.map(({ id, version }) => ({ id, version }));
  return sql`delete from ${onCallChanges} where (id, version) in
    (select value ->> 'id', value ->> 'version' from json_each(${JSON.stringify(done)}))`;
}
