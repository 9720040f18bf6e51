import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import { reportedCoverage } from "../../../domain/oncall/coverage.ts";
import { onCallBetween } from "../../../domain/oncall/oncall.ts";
import type { Window } from "../../../domain/oncall/window.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { schedulesOfTeams, selectPastShifts, selectTeamsWithSchedules } from "../schedules/rows.ts";
import type { OnCallTeam } from "./contract.ts";
import { selectOnCall, toOnCallSchedules } from "./oncall-rows.ts";
import { showEntry, showLayers } from "./show-on-call.ts";

/** Shorter than the limit for one schedule: the query covers every team. */
const WIDEST = 92 * DAY;

/**
 * Reads who is on call in every team: the results of `window_events` and `coverage` for each team's
 * schedule, in one round trip.
 *
 * @param team only this team; null: all
 * @returns one entry per team, by id; 422 for a window over 92 days
 */
export async function readTeamsOnCall(
  { db, actor }: Context,
  window: Window,
  team: Identifier | null = null,
): Promise<readonly OnCallTeam[] | Refusal> {
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const { accountId } = actor;
  const [teams, rows, absences, before, past] = await batch(db, [
    selectTeamsWithSchedules(accountId, team),
    ...selectOnCall(accountId, schedulesOfTeams(accountId, team), window.from),
    selectPastShifts(accountId, schedulesOfTeams(accountId, team), window.from),
  ]);
  const pastSince = new Map(past.map(({ id, since }) => [id, since]));
  const schedules = toOnCallSchedules(rows, absences, before);
  // Computed once per schedule: teams may share one.
  const shown = new Map<string, ReturnType<typeof showSchedule>>();
  return teams.map(({ id: team_id, scheduleId, layers }) => {
    if (scheduleId === null) return { team_id, schedule_id: null, entries: [], layers: [] };
    const schedule =
      shown.get(scheduleId) ??
      showSchedule(scheduleId, window, {
        onCall: schedules.get(scheduleId) ?? EMPTY_SCHEDULE,
        policyLayers: layers,
        pastSince: pastSince.get(scheduleId) ?? null,
      });
    shown.set(scheduleId, schedule);
    return { team_id, schedule_id: scheduleId, ...schedule };
  });
}

type ScheduleFacts = {
  readonly onCall: OnCallSchedule;
  /** The layers of the policies of its teams. */
  readonly policyLayers: readonly number[];
  /** Since when it has had shifts that are not among the events (epoch ms); null: none. */
  readonly pastSince: number | null;
};

/** The shifts and coverage of one schedule in the window. */
function showSchedule(
  id: string,
  { from, to }: Window,
  { onCall, policyLayers, pastSince }: ScheduleFacts,
) {
  const reportedLayers = [...policyLayers, ...onCall.events.map(({ layer }) => layer)];
  return {
    entries: onCallBetween(onCall, from, to).map((entry) => showEntry(entry, id)),
    layers: showLayers(reportedCoverage(onCall, [from, to], reportedLayers, pastSince)),
  };
}
