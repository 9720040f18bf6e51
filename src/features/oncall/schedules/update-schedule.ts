import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord, selectId } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { schedules } from "../../schema/oncall.ts";
import type { Schedule } from "./contract.ts";
import type { UpdateSchedule } from "./parameters.ts";
import { scheduleRecords } from "./schedule-records.ts";

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
