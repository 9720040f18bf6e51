// Reads what decides which gaps a team is notified of, and who is notified. One round trip.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import { audienceOf, type TeamPerson } from "../../../domain/oncall/audiences.ts";
import type { GapFacts } from "../../../domain/oncall/notices/gaps.ts";
import { onCallAt } from "../../../domain/oncall/oncall.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { escalationLayers, eventSchedules, events, teams } from "../../schema/oncall.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { activePeople } from "./handoff-rows.ts";

export type TeamGapFacts = GapFacts & {
  readonly name: string;
  /** False if the team notifies nobody of gaps. */
  readonly notifies: boolean;
  /** Account user ids. */
  readonly recipientIds: readonly string[];
};

const eventsOfTeam = sql`select 1 from ${eventSchedules}
  where ${eventSchedules.accountId} = ${teams.accountId}
    and ${eventSchedules.scheduleId} = ${teams.scheduleId}`;

const gapColumns = (now: number) => ({
  name: teams.name,
  scheduleId: teams.scheduleId,
  setting: teams.gapNotifications,
  people: parsed<readonly TeamPerson[]>(activePeople),
  policyLayers: parsed<readonly number[]>(sql`(select json_group_array(${escalationLayers.layer})
    from ${escalationLayers} where ${escalationLayers.accountId} = ${teams.accountId}
      and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId})`),
  hasEvents: truth(sql`exists (${eventsOfTeam})`),
  hasStarted: truth(sql`exists (${eventsOfTeam} and exists (select 1 from ${events}
    where ${events.id} = ${eventSchedules.eventId} and ${events.startAt} <= ${now}))`),
});

type GapRow = RowOf<ReturnType<typeof gapColumns>>;

/** Reads a team's gap facts from `now` (epoch ms) on; null if there is no such team. */
export async function readTeamGaps(
  db: Connection,
  accountId: string,
  teamId: string,
  now: number,
): Promise<TeamGapFacts | null> {
  const here = sql`from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.id} = ${teamId}`;
  const schedule = sql`select ${teams.scheduleId} ${here} and ${teams.scheduleId} is not null`;
  const [[team], rows, absences, past] = await batch(db, [
    select(gapColumns(now), here),
    ...selectOnCall(accountId, schedule, now),
  ]);
  if (!team) return null;
  const schedules = toOnCallSchedules(rows, absences, past);
  return toFacts(team, schedules.get(team.scheduleId ?? "") ?? EMPTY_SCHEDULE, now);
}

function toFacts(team: GapRow, onCallSchedule: GapFacts["schedule"], now: number): TeamGapFacts {
  const { setting, people, ...rest } = team;
  const onCall = onCallAt(onCallSchedule, now).map(({ attendees }) =>
    attendees.map(({ attendeeId }) => ({ accountUserId: attendeeId })),
  );
  return {
    ...rest,
    schedule: onCallSchedule,
    notifies: setting !== "none",
    recipientIds: audienceOf(setting, "gap", people, { 0: onCall.flat() }),
  };
}
