// What the page of a team reads.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import type { Team as TeamRecord } from "../../features/oncall/teams/contract.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import type { Api } from "../api-client.ts";
import { AHEAD, type TeamLayer } from "../oncall/team-layers.tsx";
import type { Visit } from "../page.ts";
import { allByName, allOf, type PageProps, type ReadBy } from "../reads.ts";

/** A team; the ids of who is in its schedule are read of one team, not of a change. */
export type Team = TeamRecord & { readonly scheduled?: readonly string[] };

const MOST_ALERTS = 5;
const MOST_PEOPLE = 50;
export const MOST_SENDERS = 10;

export async function readTeam(api: Api, id: string): Promise<Team | Refusal> {
  const read = await allOf(
    api.get("/teams/:id", { id }),
    api.every("/teams/:id/scheduled_account_users", { id }),
  );
  if (isRefusal(read)) return read;
  const [team, scheduled] = read;
  return { ...team, scheduled: scheduled.map((person) => person.id) };
}

/**
 * What the page of a team shows besides its record, its schedule's and its policy's.
 *
 * @param id the team's, in either form
 */
export async function readTeamPage({ api, now }: Visit, id: string) {
  const [start, end] = [formatInstant(now), formatInstant(now + AHEAD)];
  return allByName({
    onCall: api.get("/oncall", { start, end, team_id: id }),
    alerts: api.get("/alerts", {
      ...{ scope: id, limit: MOST_ALERTS, status: "resolved", ops: "status:ne" },
      sort: "attention",
    }),
    integrations: api.get("/integrations", { team_ids: id, limit: MOST_SENDERS }),
    routers: api.every("/routers"),
    people: api.get("/readiness/people", { team_ids: id, limit: MOST_PEOPLE }),
    absences: api.every("/absences", {
      ...{ ops: "end_datetime:gte,start_datetime:lte", end_datetime: start, start_datetime: end },
    }),
  });
}

export type TeamPage = ReadBy<typeof readTeamPage>;

export type TeamProps = PageProps<{
  team: Team;
  schedule: Schedule | null;
  policy: EscalationPolicy | null;
  read: TeamPage;
  layers: readonly TeamLayer[];
  mayPlan: boolean;
}>;
