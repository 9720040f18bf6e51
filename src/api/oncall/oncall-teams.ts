// Who is on call in every team: the results of `window_events` and `coverage` for each team's
// schedule, in one round trip.
import { sql } from "drizzle-orm";
import type { OnCallTeam } from "../../contract/oncall/on-call.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../db/oncall/oncall-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { escalationLayers, teams } from "../../db/schema/oncall.ts";
import { statement } from "../../db/shared/database.ts";
import { coverageBetween } from "../../domain/oncall/coverage.ts";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../domain/oncall/oncall.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { DAY } from "../../domain/shared/time.ts";
import { type Answer, bare } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { bareList } from "../../http/shown.ts";
import { showLayers } from "./coverage.ts";
import { showEntry } from "./oncall.ts";
import { readWindow, type Window } from "./window.ts";

/** Shorter than the limit for one schedule: the query covers every team. */
const WIDEST = 92 * DAY;

// ── Rows ──

const selectTeams = (accountId: string) =>
  sql`select ${teams.id} as id, ${teams.scheduleId} as schedule_id,
      (select json_group_array(distinct ${escalationLayers.layer}) from ${teams} as other
        join ${escalationLayers} on ${escalationLayers.accountId} = ${accountId}
          and ${escalationLayers.escalationPolicyId} = other.escalation_policy_id
        where other.account_id = ${accountId} and other.schedule_id = ${teams.scheduleId}) as climbed
    from ${teams} where ${teams.accountId} = ${accountId} order by ${teams.id}`;

const schedulesOfTeams = (accountId: string) =>
  sql`select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} is not null`;

// ── Routes ──

/**
 * The shifts and coverage of one schedule in the window. `climbed`: the layers of the policies of
 * its teams.
 */
function showSchedule(
  id: string,
  events: readonly OnCallEvent[],
  climbed: readonly number[],
  { from, to }: Window,
) {
  const reportedLayers = [...climbed, ...events.map(({ layer }) => layer)];
  return {
    entries: onCallBetween(events, from, to).map((entry) => showEntry(entry, id)),
    layers: showLayers(coverageBetween(events, from, to, reportedLayers)),
  };
}

async function list({ db, actor, query }: ApiRequest): Promise<Answer> {
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const { accountId } = actor;
  const [teamRows, eventRows] = await db.batch<RawRow>([
    statement(db, selectTeams(accountId)),
    statement(db, selectOnCallEvents(accountId, schedulesOfTeams(accountId), window.from)),
  ]);
  const events = toOnCallEvents(eventRows?.results ?? []);
  // Computed once per schedule: teams may share one.
  const shown = new Map<string, ReturnType<typeof showSchedule>>();
  const body = (teamRows?.results ?? []).map((row) => {
    const team_id = String(row.id);
    if (row.schedule_id === null) return { team_id, schedule_id: null, entries: [], layers: [] };
    const id = String(row.schedule_id);
    const climbed = JSON.parse(String(row.climbed)) as number[];
    const schedule = shown.get(id) ?? showSchedule(id, events.get(id) ?? [], climbed, window);
    shown.set(id, schedule);
    return { team_id, schedule_id: id, ...schedule };
  });
  return bare<OnCallTeam>(body);
}

export const onCallTeamRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/oncall",
    operation: "getTeamsOnCall",
    summary: "List who is on call in a window, by team",
    description: `For every team, the \`window_events\` and the \`coverage\` of its schedule. Both are empty for a team without a schedule.`,
    shows: bareList("OnCallTeam"),
    query: "OnCallTeamsQuery",
    handle: list,
  }),
];
