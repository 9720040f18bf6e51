// Whose hours a report of hours on call contains, and of which schedules.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { select } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

/** Selects the ids of the schedules that are named, directly or by a team; of all if none is. */
export function selectReportedSchedules(
  accountId: string,
  scheduleIds: readonly string[],
  teamIds: readonly string[],
): SQL {
  const ofAccount = sql`select ${schedules.id} from ${schedules}
    where ${schedules.accountId} = ${accountId}`;
  if (scheduleIds.length === 0 && teamIds.length === 0) return ofAccount;
  return sql`${ofAccount} and ${isNamed("schedule", schedules, scheduleIds)}
    union select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} is not null
      and ${isNamed("team", teams, teamIds)}`;
}

/** Selects the ids of the teams that are named. */
export const selectNamedTeams = (accountId: string, teamIds: readonly string[]): SQL =>
  sql`select ${teams.id} from ${teams}
    where ${teams.accountId} = ${accountId} and ${isNamed("team", teams, teamIds)}`;

/** True for a record that one of the identifiers names, in either form. */
function isNamed(
  kind: "schedule" | "team",
  { id, prefixId }: { readonly id: SQLiteColumn; readonly prefixId: SQLiteColumn },
  identifiers: readonly string[],
): SQL {
  const values = identifiers.map((it) => parseIdentifier(kind, it)?.value ?? "");
  const named = sql`(select value from json_each(${JSON.stringify(values)}))`;
  return sql`(${id} in ${named} or ${prefixId} in ${named})`;
}

/** Selects the name of each member of the account. */
export const selectMemberNames = (accountId: string) =>
  select(
    { id: accountUsers.id, name: memberName },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId}`,
  );

/** Selects the name of each schedule of the account. */
export const selectScheduleNames = (accountId: string) =>
  select(
    { id: schedules.id, name: schedules.name },
    sql`from ${schedules} where ${schedules.accountId} = ${accountId}`,
  );

/**
 * Selects the schedules of some teams.
 *
 * @param teamIds a select of team ids
 */
export const selectSchedulesOf = (accountId: string, teamIds: SQL) =>
  select(
    { scheduleId: teams.scheduleId },
    sql`from ${teams} where ${teams.accountId} = ${accountId} and ${teams.scheduleId} is not null
      and ${teams.id} in (${teamIds})`,
  );
