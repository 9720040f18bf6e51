// What every report says of itself.
import type { ReportPeriod } from "../../../domain/reports/report.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { AlertsReport } from "../reports/contract.ts";

type ReportHead = Pick<AlertsReport, "start_time" | "end_time" | "time_zone" | "complete">;

/** The period of a report, and whether the report includes everything in it. */
export const headOf = ({ from, to, timeZone }: ReportPeriod, complete: boolean): ReportHead => ({
  start_time: formatInstant(from),
  end_time: formatInstant(to),
  time_zone: timeZone,
  complete,
});
