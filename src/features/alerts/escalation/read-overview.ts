// What a page of alerts shows beside its records: who has each alert, and who is notified next.
import { sql } from "drizzle-orm";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { selectPageIds } from "../../../kernel/db/record-lists.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { ApiRequest } from "../../../kernel/http/route.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { schedules } from "../../schema/oncall.ts";
import { selectAlertTotal, selectStatusCounts } from "../alerts/alert-counts.ts";
import { readAlertList } from "../alerts/alert-scope.ts";
import type { AlertOverview, AlertProgress, NextStep } from "./contract.ts";
import { nextStepsOf } from "./read-next-steps.ts";
import { type RunningWorkflow, selectAbsent, selectRunning } from "./rows.ts";

/** Reads it for the page of a request for `GET /alerts`. One round trip. */
export async function readAlertOverview(request: ApiRequest): Promise<AlertOverview | Refusal> {
  const { db, actor, now, longestPage } = request;
  const { accountId } = actor;
  const list = readAlertList(request.query, actor, longestPage);
  if (isRefusal(list)) return list;
  const { records, query, scope } = list;
  // The schedules of all teams: those of the page's alerts would have to be looked up three times.
  const everySchedule = sql`select ${schedules.id} from ${schedules} where ${schedules.accountId} = ${accountId}`;
  const [counts, [total], running, eventRows, absences, past, absentRows] = await batch(db, [
    selectStatusCounts(actor, list),
    selectAlertTotal(actor, list),
    selectRunning(accountId, selectPageIds(records, accountId, query, scope)),
    ...selectOnCall(accountId, everySchedule, now),
    selectAbsent(accountId),
  ]);
  const onCall = toOnCallSchedules(eventRows, absences, past);
  const absent = new Set(absentRows.map(({ id }) => id));
  const stepsOf = (workflows: readonly RunningWorkflow[]) =>
    nextStepsOf(workflows, onCall, absent, now);
  const byAlert = Map.groupBy(running, ({ alertId }) => alertId);
  const living = counts.reduce((sum, { all }) => sum + all, 0);
  return {
    progress: [...byAlert].map(([id, workflows]) => progressOf(id, workflows, stepsOf)),
    counts: [...counts],
    resolved_count: total ? total.total - living : null,
  };
}

function progressOf(
  alertId: string,
  workflows: readonly RunningWorkflow[],
  stepsOf: (workflows: readonly RunningWorkflow[]) => readonly NextStep[],
): AlertProgress {
  const last = workflows
    .filter(({ state }) => state === "acknowledged")
    .toSorted((one, other) => one.updatedAt - other.updatedAt)
    .at(-1);
  return {
    alert_id: alertId,
    acknowledged_by_id: last?.acknowledgedBy ?? null,
    acknowledged_at: last ? formatInstant(last.updatedAt) : null,
    next_steps: [...stepsOf(workflows)],
  };
}
