// Reads which teams have nobody on call now or within a day.
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import {
  type UncoveredLayer as Layer,
  uncoveredLayers,
} from "../../../domain/oncall/notices/uncovered.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { schedulesOfTeams, selectTeamsWithSchedules } from "../schedules/rows.ts";

/** An uncovered layer of a team. */
export type UncoveredTeam = Layer & {
  readonly teamId: string;
  readonly teamName: string;
  readonly scheduleId: string | null;
};

/** What is uncovered, and how many teams are covered now. */
export type CoverageNow = {
  /** Every team, with its members and admins. */
  readonly teams: readonly { readonly id: string; readonly peopleIds: readonly string[] }[];
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
  const [teams, rows, absences, past] = await batch(db, [
    selectTeamsWithSchedules(accountId),
    ...selectOnCall(accountId, schedulesOfTeams(accountId), now),
  ]);
  const schedules = toOnCallSchedules(rows, absences, past);
  // Computed once per schedule: teams may share one.
  const known = new Map<string, readonly Layer[]>();
  const uncovered = teams.flatMap(({ id, name, scheduleId, layers }) => {
    const key = scheduleId ?? "";
    const found =
      known.get(key) ?? uncoveredLayers(schedules.get(key) ?? EMPTY_SCHEDULE, layers, now);
    known.set(key, found);
    return found.map((it) => ({ ...it, teamId: id, teamName: name, scheduleId }));
  });
  const empty = uncovered.filter(({ layer, startAt }) => layer === 1 && startAt <= now);
  return {
    teams,
    onCall: teams.length - empty.length,
    uncovered: uncovered.toSorted((a, b) => a.startAt - b.startAt),
  };
}
