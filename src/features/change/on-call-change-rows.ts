// Possible changes of who is on call: triggers write a row with every such change, and it is
// deleted once the schedule's, team's or person's object has checked.
import { type SQL, sql } from "drizzle-orm";
import { NOBODY } from "../../domain/oncall/notices/shift-changes.ts";
import type { Connection } from "../../kernel/db/database.ts";
import { all, parsed, type RowOf, select, truth } from "../../kernel/db/select.ts";
import { onCallChanges } from "../schema/bookkeeping.ts";
import { teams } from "../schema/oncall.ts";

const changeColumns = {
  /** A schedule's, a team's or an account user's id. */
  id: onCallChanges.id,
  accountId: onCallChanges.accountId,
  kind: onCallChanges.kind,
  version: onCallChanges.version,
  actors: onCallChanges.actors,
  /** Whether the author of the latest change is among the actors. */
  isAttributed: truth(sql`${onCallChanges.attributed} is ${onCallChanges.version}`),
  /** For a schedule: the teams that use it. */
  teamIds: parsed<readonly string[]>(sql`(select json_group_array(${teams.id}) from ${teams}
    where ${teams.accountId} = ${onCallChanges.accountId}
      and ${teams.scheduleId} = ${onCallChanges.id})`),
};

export type OnCallChange = RowOf<typeof changeColumns>;

/** Who made a change: account user ids and `NOBODY`. Empty: there is none, only a reason to check. */
export const actorsOf = ({ actors, isAttributed }: OnCallChange): readonly string[] =>
  isAttributed ? actors : [...new Set([...actors, NOBODY])];

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

/**
 * Records who made the account's changes that have no author yet. Around the writes of a
 * transaction: before them for `NOBODY`, after them for the transaction's actor.
 *
 * @param actor an account user id, or `NOBODY`
 */
export const attributeOnCallChanges = (accountId: string, actor: string): SQL =>
  sql`update ${onCallChanges} set attributed = version,
      actors = iif(exists (select 1 from json_each(actors) where value = ${actor}), actors,
        json_insert(actors, '$[#]', ${actor}))
    where ${onCallChanges.accountId} = ${accountId} and attributed is not version`;

/** Records that the layers of an escalation policy have changed: its teams look for gaps in them. */
export const recordLayerChange = (accountId: string, policyId: string): SQL =>
  sql`insert into ${onCallChanges} (id, account_id, kind, version)
    select ${teams.id}, ${teams.accountId}, 'team', hex(randomblob(8)) from ${teams}
      where ${teams.accountId} = ${accountId} and ${teams.escalationPolicyId} = ${policyId}
    on conflict (id) do update set version = excluded.version`;

/** Deletes changes, unless there was another change of the same record in the meantime. */
export function deleteOnCallChanges(changes: readonly OnCallChange[]): SQL {
  const done = changes.map(({ id, version }) => ({ id, version }));
  return sql`delete from ${onCallChanges} where (id, version) in
    (select value ->> 'id', value ->> 'version' from json_each(${JSON.stringify(done)}))`;
}
