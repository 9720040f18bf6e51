import type { MemberActor } from "../../../domain/access/actor.ts";
import { csvOf } from "../../../domain/reports/csv.ts";
import type { HoursQuery } from "../../../domain/reports/hours-query.ts";
import { type RatedTime, totalOf } from "../../../domain/reports/on-call-hours.ts";
import { RATE_CLASSES } from "../../../domain/reports/rate-spans.ts";
import { FORMER_MEMBER } from "../../../domain/shared/anonymize.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import type { Context } from "../../change/context.ts";
import { calculateOnCallHours } from "./calculate-on-call-hours.ts";

/** What a row of the file is: a person, or a person on one layer of a schedule. */
export type HoursRow = "person" | "layer";

const HOURS = [...RATE_CLASSES, "total"].map((name) => `${name}_hours`);

/** Hours with two decimals; each cell is rounded by itself. */
const hoursText = (ms: number) => (Math.round((ms * 100) / HOUR) / 100).toFixed(2);

const cellsOf = (time: RatedTime) =>
  [...RATE_CLASSES.map((rateClass) => time[rateClass]), totalOf(time)].map(hoursText);

/**
 * Exports the hours that `reportOnCallHours` reports as CSV; 422 as of `calculateOnCallHours`.
 */
export async function exportOnCallHours(
  context: Context<MemberActor>,
  query: HoursQuery,
  row: HoursRow,
): Promise<string | Refusal> {
  const hours = await calculateOnCallHours(context, query);
  if (isRefusal(hours)) return hours;
  const { people, names } = hours;
  const personCells = (id: string) => [names.get(id) ?? FORMER_MEMBER, id];
  if (row === "person") {
    return csvOf(
      ["person", "account_user_id", ...HOURS],
      people.map((it) => [...personCells(it.attendeeId), ...cellsOf(it.time)]),
    );
  }
  return csvOf(
    ["person", "account_user_id", "schedule", "schedule_id", "layer", ...HOURS],
    people.flatMap(({ attendeeId, byLayer }) =>
      byLayer.map(({ scheduleId, layer, time }) => [
        ...personCells(attendeeId),
        ...[names.get(scheduleId) ?? "", scheduleId, layer],
        ...cellsOf(time),
      ]),
    ),
  );
}
