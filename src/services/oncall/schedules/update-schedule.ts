import type { Schedule } from "../../../contract/oncall/schedule.ts";
import type { UpdateSchedule } from "../../../contract/oncall/schedule-parameters.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { oneRecord, selectId } from "../../../db/records/records.ts";
import { schedules } from "../../../db/schema/oncall.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";

/**
 * Changes a schedule's name and `meta` (contract 2, Schedules).
 *
 * @returns the schedule; 404
 */
export function updateSchedule(
  context: Context,
  identifier: Identifier,
  body: UpdateSchedule,
): Promise<Schedule | Refusal> {
  const { actor, now } = context;
  const update = build
    .update(schedules)
    .set({ ...body, updatedAt: now })
    .where(oneRecord(schedules, actor.accountId, identifier));
  const concerns = selectId(scheduleRecords, actor.accountId, identifier);
  const change = {
    verb: "update",
    records: scheduleRecords,
    identifier,
    writes: [update],
    concerns,
  };
  return retryOnConflict(async () => {
    const { after } = await commitUnread(context, change);
    return after ?? notFound("schedule");
  });
}
