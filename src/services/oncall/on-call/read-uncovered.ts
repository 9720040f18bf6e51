import type { UncoveredLayer } from "../../../contract/oncall/on-call.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../../db/oncall/oncall-rows.ts";
import {
  schedulesOfTeams,
  selectTeamsWithSchedules,
} from "../../../db/oncall/schedule-use-rows.ts";
import type { Connection } from "../../../db/shared/database.ts";
import { batch } from "../../../db/shared/select.ts";
import {
  type UncoveredLayer as Layer,
  uncoveredLayers,
} from "../../../domain/oncall/notices/uncovered.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Context } from "../../shared/context.ts";

/** An uncovered layer of a team. */
export type UncoveredTeam = Layer & {
  readonly teamId: string;
  readonly teamName: string;
  readonly scheduleId: string | null;
};

/** The teams and layers that are uncovered, and how many teams there are. */
export type CoverageNow = {
  readonly teams: number;
  /** The number of teams whose first layer has somebody on call now. */
  readonly onCall: number;
  readonly uncovered: readonly UncoveredTeam[];
};

/**
 * Finds the layers without anybody on call now or within a day, with the calculation that alerts
 * use. One round trip; sorted by start.
 *
 * @param now epoch ms
 */
export async function findUncovered(
  db: Connection,
  accountId: string,
  now: number,
): Promise<CoverageNow> {
  const [teams, rows] = await batch(db, [
    selectTeamsWithSchedules(accountId),
    selectOnCallEvents(accountId, schedulesOfTeams(accountId), now),
  ]);
  const events = toOnCallEvents(rows);
  // Computed once per schedule: teams may share one.
  const known = new Map<string, readonly Layer[]>();
  const uncovered = teams.flatMap(({ id, name, scheduleId, layers }) => {
    const key = scheduleId ?? "";
    const found = known.get(key) ?? uncoveredLayers(events.get(key) ?? [], layers, now);
    known.set(key, found);
    return found.map((it) => ({ ...it, teamId: id, teamName: name, scheduleId }));
  });
  const empty = uncovered.filter(({ layer, startAt }) => layer === 1 && startAt <= now);
  return {
    teams: teams.length,
    onCall: teams.length - empty.length,
    uncovered: uncovered.toSorted((a, b) => a.startAt - b.startAt),
  };
}

/** Reads the teams' layers without anybody on call now or within a day. */
export async function readUncovered({
  db,
  actor,
  now,
}: Context): Promise<readonly UncoveredLayer[]> {
  const { uncovered } = await findUncovered(db, actor.accountId, now);
  return uncovered.map(({ teamId, scheduleId, layer, startAt, endAt }) => ({
    team_id: teamId,
    schedule_id: scheduleId,
    layer,
    start_time: formatInstant(startAt),
    end_time: endAt === null ? null : formatInstant(endAt),
  }));
}
