// Shared by the verbs of account users: the columns and statements of a write, and the rule that an
// account has an admin.

import { type SQL, sql } from "drizzle-orm";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { teamPeople } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { UpdateAccountUser } from "./parameters.ts";

/** The prefix of the person's parameters in messages. */
export const WITHIN = "user_attributes.";

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
export function columnsOf(body: UpdateAccountUser, ruleId: string | undefined) {
  return {
    ...plainColumns(accountUsers, body.roles ?? {}),
    ...plainColumns(accountUsers, body),
    ...(body.notification_rule_id !== undefined && { notificationRuleId: ruleId ?? null }),
  };
}

/** Makes an account user a member of exactly these teams. Existing members keep their position. */
export function joinTeams(
  accountId: string,
  accountUserId: string,
  teamIds: readonly string[],
): SQL[] {
  const ids = JSON.stringify(teamIds);
  return [
    sql`delete from ${teamPeople} where account_user_id = ${accountUserId} and relation = 'member'
      and team_id not in (select value from json_each(${ids}))`,
    sql`insert or ignore into ${teamPeople} (account_id, team_id, relation, account_user_id, position)
      select ${accountId}, teams.id, 'member', ${accountUserId}, coalesce((select max(position) + 1
        from ${teamPeople} as held where held.team_id = teams.id and held.relation = 'member'), 0)
      from json_each(${ids}) as given join teams on teams.id = given.value`,
  ];
}

export const KEEP_AN_ADMIN =
  "the account needs at least one admin; give another member the role first";

/** The ids of the account's active admins. */
export const admins = (accountId: string): SQL =>
  sql`select ${accountUsers.id} as id from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
    and ${accountUsers.admin} and ${accountUsers.state} = 'active'`;
