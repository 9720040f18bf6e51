import { sql } from "drizzle-orm";
import type { TeamWithScheduled } from "../../../contract/people/team.ts";
import { selectScheduled } from "../../../db/oncall/schedule-use-rows.ts";
import { teamRecords } from "../../../db/people/team-records.ts";
import { oneRecord, selectRecord } from "../../../db/records/records.ts";
import { teams } from "../../../db/schema/oncall.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";

/** Reads a team with everyone who has shifts in its schedule; or 404. */
export async function readTeam(
  { db, actor, now }: Pick<Context, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<TeamWithScheduled | Refusal> {
  const { accountId } = actor;
  const scheduleId = sql`select ${teams.scheduleId} from ${teams}
    where ${oneRecord(teams, accountId, identifier)}`;
  const [[team], people] = await batch(db, [
    selectRecord(teamRecords, accountId, identifier),
    selectScheduled(accountId, scheduleId, now),
  ]);
  if (!team) return notFound("team");
  return { ...team, scheduled_account_user_ids: people.map(({ id }) => id) };
}
