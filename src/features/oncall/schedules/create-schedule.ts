import { sql } from "drizzle-orm";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { schedules } from "../../schema/oncall.ts";
import type { Schedule } from "./contract.ts";
import type { CreateSchedule } from "./parameters.ts";
import { scheduleRecords } from "./schedule-records.ts";

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
