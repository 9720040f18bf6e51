// Notes test pages and drills when they start, within an hourly limit.
import { type SQL, sql } from "drizzle-orm";
import type { Exercise } from "../../../domain/alerts/exercise.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { DAY, HOUR } from "../../../domain/shared/time.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { exercises } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

/** Longer than alerts are retained, unless that is configured otherwise. */
const RETENTION_MS = 400 * DAY;

/** The admins whom a drill's end is reported to, at most. */
const MAX_ADMINS = 20;

export type NewExercise = {
  readonly accountId: string;
  readonly alertId: string;
  readonly kind: Exercise;
  /** An account user. */
  readonly startedById: string;
  readonly teamId: string | null;
};

/**
 * Notes an exercise unless too many of its kind were started in the last hour: of a drill, for its
 * team; of a test page, by its person. Deletes old notes. Safe to repeat.
 *
 * @param now epoch ms
 */
export function noteExercise(it: NewExercise, perHour: number, now: number): SQL[] {
  const mine = sql`select count(*) from ${exercises} where account_id = ${it.accountId}
    and alert_id >= ${firstIdentifierAt(now - HOUR)} and kind = ${it.kind}
    and ${it.teamId === null ? sql`started_by_id = ${it.startedById}` : sql`team_id = ${it.teamId}`}`;
  return [
    sql`delete from ${exercises} where account_id = ${it.accountId}
      and alert_id < ${firstIdentifierAt(now - RETENTION_MS)}`,
    sql`insert into ${exercises} (account_id, alert_id, kind, started_by_id, team_id)
      select ${it.accountId}, ${it.alertId}, ${it.kind}, ${it.startedById}, ${it.teamId}
        where (${mine}) < ${perHour}
      on conflict do nothing`,
  ];
}

/** Selects the note of an exercise; none if the limit refused it. */
export const selectExercise = ({ accountId, alertId }: NewExercise) =>
  select(
    { alertId: exercises.alertId },
    sql`from ${exercises} where ${exercises.accountId} = ${accountId}
      and ${exercises.alertId} = ${alertId}`,
  );

/** Selects the team of a drill. */
export const selectDrilledTeam = (accountId: string, team: Identifier) =>
  select(
    { id: teams.id, name: teams.name },
    sql`from ${teams} where ${oneRecord(teams, accountId, team)}`,
  );

/** Selects the account's admins, for the report of a drill. */
export const selectReportedAdmins = (accountId: string) =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.admin} and ${accountUsers.state} = 'active'
      order by ${accountUsers.id} limit ${MAX_ADMINS}`,
  );
