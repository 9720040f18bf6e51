import { formatInstant } from "../../../domain/shared/time.ts";
import type { Context } from "../../change/context.ts";
import { findUncovered } from "../notices/find-uncovered.ts";
import type { UncoveredLayer } from "./contract.ts";

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
