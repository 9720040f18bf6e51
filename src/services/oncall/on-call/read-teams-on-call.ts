import type { OnCallTeam } from "../../../contract/oncall/on-call.ts";
import { selectOnCall, toOnCallSchedules } from "../../../db/oncall/oncall-rows.ts";
import {
  schedulesOfTeams,
  selectTeamsWithSchedules,
} from "../../../db/oncall/schedule-use-rows.ts";
import { batch } from "../../../db/shared/select.ts";
import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import { coverageBetween } from "../../../domain/oncall/coverage.ts";
import { onCallBetween } from "../../../domain/oncall/oncall.ts";
import type { Window } from "../../../domain/oncall/window.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { Context } from "../../shared/context.ts";
import { showEntry, showLayers } from "./show-on-call.ts";

/** Shorter than the limit for one schedule: the query covers every team. */
const WIDEST = 92 * DAY;

/**
 * Reads who is on call in every team: the results of `window_events` and `coverage` for each team's
 * schedule, in one round trip.
 *
 * @returns one entry per team, by id; 422 for a window over 92 days
 */
export async function readTeamsOnCall(
  { db, actor }: Context,
  window: Window,
): Promise<readonly OnCallTeam[] | Refusal> {
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const { accountId } = actor;
  const [teams, rows, absences] = await batch(db, [
    selectTeamsWithSchedules(accountId),
    ...selectOnCall(accountId, schedulesOfTeams(accountId), window.from),
  ]);
  const schedules = toOnCallSchedules(rows, absences);
  // Computed once per schedule: teams may share one.
  const shown = new Map<string, ReturnType<typeof showSchedule>>();
  return teams.map(({ id: team_id, scheduleId, layers }) => {
    if (scheduleId === null) return { team_id, schedule_id: null, entries: [], layers: [] };
    const schedule =
      shown.get(scheduleId) ??
      showSchedule(scheduleId, schedules.get(scheduleId) ?? EMPTY_SCHEDULE, layers, window);
    shown.set(scheduleId, schedule);
    return { team_id, schedule_id: scheduleId, ...schedule };
  });
}

/**
 * The shifts and coverage of one schedule in the window. `policyLayers`: the layers of the policies of
 * its teams.
 */
function showSchedule(
  id: string,
  onCall: OnCallSchedule,
  policyLayers: readonly number[],
  { from, to }: Window,
) {
  const reportedLayers = [...policyLayers, ...onCall.events.map(({ layer }) => layer)];
  return {
    entries: onCallBetween(onCall, from, to).map((entry) => showEntry(entry, id)),
    layers: showLayers(coverageBetween(onCall, from, to, reportedLayers)),
  };
}
