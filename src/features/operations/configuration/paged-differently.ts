// Who would be on call for the teams that a configuration file moves to another schedule.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import { compareOnCall } from "../../../domain/oncall/changes/on-call-comparison.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { showWindow } from "../../oncall/on-call/preview-on-call-change.ts";
import type { ConfigurationOnCall } from "./contract.ts";
import type { PlannedChange } from "./plan-import.ts";
import type { Configuration } from "./read-configuration.ts";
import type { AdminContext } from "./section.ts";

const DAYS_AHEAD = 42;

/** Compares the next weeks of each stored team whose schedule changes. */
export async function comparePaged(
  { db, actor, now }: AdminContext,
  planned: readonly PlannedChange[],
  stored: Configuration,
): Promise<readonly ConfigurationOnCall[]> {
  const ids = new Map((stored.get("schedule") ?? []).map(({ key, record }) => [key, record.id]));
  const moved = planned.flatMap(({ section, id, fields, stored: before }) => {
    const schedule = fields.find(({ field }) => field === "schedule");
    if (section.kind !== "team" || before === null || !schedule) return [];
    return [{ id, from: ids.get(String(schedule.before)), to: ids.get(String(schedule.after)) }];
  });
  if (moved.length === 0) return [];
  const named = JSON.stringify(moved.flatMap(({ from, to }) => [from, to]));
  const here = sql`select value from json_each(${named}) where value is not null`;
  const read = await batch(db, selectOnCall(actor.accountId, here, now));
  const schedules = toOnCallSchedules(...read);
  return moved.map(({ id, from, to }) => {
    const scheduleOf = (key = "") => schedules.get(key) ?? EMPTY_SCHEDULE;
    const until = now + DAYS_AHEAD * DAY;
    const { windows } = compareOnCall(scheduleOf(from), scheduleOf(to), now, until);
    return { team_id: id, changes: windows.map(showWindow) };
  });
}
