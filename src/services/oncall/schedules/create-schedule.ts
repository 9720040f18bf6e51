import { sql } from "drizzle-orm";
import type { Schedule } from "../../../contract/oncall/schedule.ts";
import type { CreateSchedule } from "../../../contract/oncall/schedule-parameters.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { schedules } from "../../../db/schema/oncall.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";

/**
 * Creates a schedule (contract 2, Schedules).
 *
 * @param id the ULID of the new schedule
 */
export async function createSchedule(
  context: Context,
  id: string,
  body: CreateSchedule,
): Promise<Schedule | Refusal> {
  const { actor, now } = context;
  const row = { ...newIdentity("schedule", now, id), accountId: actor.accountId, ...body };
  const writes = [build.insert(schedules).values(row)];
  const concerns = sql`select ${id}`;
  const change = { verb: "create", records: scheduleRecords, id, before: null, writes, concerns };
  const { after } = await commitChange(context, change);
  return after ?? notFound("schedule");
}
