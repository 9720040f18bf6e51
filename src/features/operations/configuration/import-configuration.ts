import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import { compareOnCall } from "../../../domain/oncall/changes/on-call-comparison.ts";
import { isRefusal, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { batch } from "../../../kernel/db/select.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import { commitComposed, statementsOf } from "../../change/compose.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { showWindow } from "../../oncall/on-call/preview-on-call-change.ts";
import { composePlan } from "./compose-plan.ts";
import { parseConfiguration } from "./configuration-file.ts";
import type { ImportConfiguration } from "./configuration-parameters.ts";
import type { ConfigurationImport, ConfigurationOnCall } from "./contract.ts";
import { type Plan, type PlannedChange, planImport } from "./plan-import.ts";
import { type Configuration, readConfiguration } from "./read-configuration.ts";
import type { AdminContext } from "./section.ts";
import { SECTIONS } from "./sections.ts";

const DAYS_AHEAD = 42;

/** Compares the next weeks of each stored team whose schedule changes. */
async function comparePaged(
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

/** D1 allows a request a thousand statements, of which verbs use some to read. */
const MOST_STATEMENTS = 900;
const READS_PER_CHANGE = 2;

/**
 * Applies a configuration file to the account in one transaction, or shows what it would change
 * (contract 2, Configuration).
 *
 * @param preview true: nothing is written
 * @returns what was changed, or would be; 422 with the places of all faults in the file, or if it
 *   changes more than one transaction can; 409 when the account changes at the same time
 */
export function importConfiguration(
  context: AdminContext,
  { configuration }: ImportConfiguration,
  preview: boolean,
): Promise<ConfigurationImport | Refusal> {
  const parsed = parseConfiguration(configuration, SECTIONS);
  if (!parsed.ok) return Promise.resolve(refuseFields(parsed.errors));
  return retryOnConflict(async () => {
    const stored = await readConfiguration(context);
    const plan = planImport(parsed.sections, stored, context.now);
    if (plan.errors.length > 0) return refuseFields(plan.errors.slice(0, 100));
    const count = plan.changes.length;
    if (count * READS_PER_CHANGE > MOST_STATEMENTS) return tooLarge(count);
    const composed = await composePlan(context, plan.changes);
    if (isRefusal(composed)) return composed;
    const statements = statementsOf(composed) + count * READS_PER_CHANGE;
    if (statements > MOST_STATEMENTS) return tooLarge(count);
    const onCall = await comparePaged(context, plan.changes, stored);
    if (!preview && count > 0) {
      await commitComposed(context, composed);
      // Roles may have changed.
      forgetKeys(({ accountId }) => accountId === context.actor.accountId);
    }
    return { applied: !preview, ...show(plan), on_call: onCall };
  });
}

const tooLarge = (count: number): Refusal =>
  refuse(
    "invalid",
    `configuration changes ${count} records, more than one transaction can write; apply it in parts`,
    "configuration",
  );

const show = ({ changes, unchanged }: Plan) => ({
  unchanged_count: unchanged,
  changes: changes.map(showChange),
});

const showChange = ({ section, place, key, id, stored, fields }: PlannedChange) => ({
  path: place,
  kind: section.kind,
  key,
  record_id: id,
  action: stored === null ? ("create" as const) : ("update" as const),
  fields: fields.map(({ field, before, after }) => ({ field, before, after })),
});
