// People who leave a team leave the rotations of its schedule, if the caller asks for it (contract 2,
// Teams): a schedule may also have people of no team that uses it.
import { sql } from "drizzle-orm";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { all, select } from "../../../kernel/db/select.ts";
import type { EventWrites } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { scheduleDeparture } from "../events/departure-rows.ts";
import { changeOfDeparture } from "../on-call/departure-change.ts";
import { effectOf, NO_EFFECT } from "../on-call/on-call-effect.ts";
import type { Team } from "./contract.ts";

/** Everyone who belongs to a team. */
type People = Pick<Team, "member_account_user_ids" | "admin_account_user_ids">;

/** The change of a team that leaves all rotations as they are. */
export const NOBODY_LEAVES: EventWrites = { writes: [], onCall: NO_EFFECT };

const LAST = refuse(
  "invalid",
  "leave_schedule would leave a rotation without people; put somebody else into it first",
  "leave_schedule",
);

const everybody = ({ member_account_user_ids, admin_account_user_ids }: People) =>
  new Set([...member_account_user_ids, ...admin_account_user_ids]);

/**
 * Decides who leaves the rotations of a team's schedule with a change of its people.
 *
 * @returns the writes, or 422 if a rotation would be without people
 */
export async function leaveSchedule(
  { db, actor, now }: Context,
  team: Team,
  after: People,
): Promise<EventWrites | Refusal> {
  const { accountId } = actor;
  const { schedule_id: scheduleId } = team;
  const left = everybody(after);
  const leavers = [...everybody(team)].filter((id) => !left.has(id));
  if (!scheduleId || leavers.length === 0) return NOBODY_LEAVES;
  const elsewhere = await all(
    db,
    select(
      { id: teamPeople.accountUserId },
      sql`from ${teamPeople} join ${teams} on ${teams.id} = ${teamPeople.teamId}
        where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}
          and ${teams.id} <> ${team.id} and ${teamPeople.relation} in ('member', 'admin')`,
    ),
  );
  const others = new Set(elsewhere.map(({ id }) => id));
  const people = leavers.filter((id) => !others.has(id));
  const departure = await scheduleDeparture(db, accountId, scheduleId, people, now);
  const { changed, schedulesOf, writes } = departure;
  if (changed.length === 0) return NOBODY_LEAVES;
  if (changed.some(({ attendees, priority }) => attendees.length === 0 && !priority)) return LAST;
  return { writes, onCall: effectOf(changeOfDeparture(changed, schedulesOf)) };
}
