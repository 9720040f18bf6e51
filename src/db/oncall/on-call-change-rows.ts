// Possible changes of who is on call: triggers write a row with every such change, and it is
// deleted once the schedule's or team's object has checked.
import { type SQL, sql } from "drizzle-orm";
import type { RawRow } from "../records/attributes.ts";
import { onCallChanges } from "../schema/bookkeeping.ts";
import { teams } from "../schema/oncall.ts";
import { type Connection, statement } from "../shared/database.ts";

export type OnCallChange = {
  /** A schedule's or a team's id. */
  readonly id: string;
  readonly accountId: string;
  readonly kind: "schedule" | "team";
  readonly version: string;
  /** For a schedule: the teams that use it. */
  readonly teamIds: readonly string[];
};

/** Reads changes that are still to be announced, of one account (null: of all), at most `most`. */
export async function readOnCallChanges(
  db: Connection,
  accountId: string | null,
  most: number,
): Promise<OnCallChange[]> {
  const ofAccount = accountId === null ? sql`true` : sql`${onCallChanges.accountId} = ${accountId}`;
  const query = sql`select ${onCallChanges.id} as id, ${onCallChanges.accountId} as account_id,
      ${onCallChanges.kind} as kind, ${onCallChanges.version} as version,
      (select json_group_array(${teams.id}) from ${teams}
        where ${teams.accountId} = ${onCallChanges.accountId}
          and ${teams.scheduleId} = ${onCallChanges.id}) as team_ids
    from ${onCallChanges} where ${ofAccount} limit ${most}`;
  const { results } = await statement(db, query).all<RawRow>();
  return results.map((row) => ({
    id: String(row.id),
    accountId: String(row.account_id),
    kind: row.kind as OnCallChange["kind"],
    version: String(row.version),
    teamIds: JSON.parse(String(row.team_ids)) as string[],
  }));
}

/** Deletes changes, unless there was another change of the same record in the meantime. */
export function deleteOnCallChanges(changes: readonly OnCallChange[]): SQL {
  const done = changes.map(({ id, version }) => ({ id, version }));
  return sql`delete from ${onCallChanges} where (id, version) in
    (select value ->> 'id', value ->> 'version' from json_each(${JSON.stringify(done)}))`;
}
