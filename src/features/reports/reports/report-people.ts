import { sql } from "drizzle-orm";
import { timeOnCall } from "../../../domain/oncall/coverage.ts";
import { pagesOfPeople, type ReportPeriod } from "../../../domain/reports/report.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { schedules } from "../../schema/oncall.ts";
import { headOf } from "../on-call-hours/report-head.ts";
import type { PeopleReport } from "./people-contract.ts";
import { selectReportedPages } from "./report-rows.ts";

const MOST_PAGES = 50_000;

/**
 * Reports each person's hours on call and pages in a period. Covers the newest 50,000
 * notifications; `complete` is false if there are more.
 */
export async function reportPeople(
  { db, actor }: Context,
  period: ReportPeriod,
): Promise<PeopleReport> {
  const { accountId } = actor;
  const every = sql`select ${schedules.id} from ${schedules} where ${schedules.accountId} = ${accountId}`;
  const [rows, eventRows, absences, past] = await batch(db, [
    selectReportedPages(accountId, period, MOST_PAGES + 1),
    ...selectOnCall(accountId, every, period.from),
  ]);
  const reported = rows
    .slice(0, MOST_PAGES)
    .map((page) => ({ ...page, timeZone: isKnownZone(page.timeZone) ? page.timeZone : "UTC" }));
  const pages = pagesOfPeople(reported);
  const bySchedule = [...toOnCallSchedules(eventRows, absences, past).values()];
  const people = timeOnCall(bySchedule, period.from, period.to);
  const hours = new Map(people.map((it) => [it.attendeeId, it.onCallMs / HOUR]));
  const ids = [...new Set([...hours.keys(), ...pages.keys()])].sort();
  return {
    ...headOf(period, rows.length <= MOST_PAGES),
    by_person: ids.map((id) => ({
      account_user_id: id,
      hours: hours.get(id) ?? 0,
      pages: pages.get(id)?.pages ?? 0,
      pages_at_night: pages.get(id)?.atNight ?? 0,
    })),
  };
}
