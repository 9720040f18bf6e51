// Who is told that an import fails: the admins of the teams that use its schedule; if there are
// none, the account's admins.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import { schedules, teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

export type ImportAudience = {
  readonly scheduleName: string;
  /** Account user ids. */
  readonly recipients: readonly string[];
};

/** Reads who is told. Throws if D1 does. */
export async function readTeamAdmins(
  db: Connection,
  accountId: string,
  scheduleId: string,
): Promise<ImportAudience> {
  const [[schedule], teamAdmins, accountAdmins] = await batch(db, [
    select(
      { name: schedules.name },
      sql`from ${schedules}
        where ${schedules.accountId} = ${accountId} and ${schedules.id} = ${scheduleId}`,
    ),
    select(
      { id: accountUsers.id },
      sql`from ${teams} join ${teamPeople} on ${teamPeople.teamId} = ${teams.id}
          and ${teamPeople.relation} = 'admin'
        join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
          and ${accountUsers.state} = 'active'
        where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}
        group by ${accountUsers.id}`,
    ),
    select(
      { id: accountUsers.id },
      sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.state} = 'active' and ${accountUsers.admin}`,
    ),
  ]);
  const recipients = teamAdmins.length > 0 ? teamAdmins : accountAdmins;
  return { scheduleName: schedule?.name ?? "", recipients: recipients.map(({ id }) => id) };
}
