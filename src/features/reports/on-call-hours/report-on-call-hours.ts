import type { MemberActor } from "../../../domain/access/actor.ts";
import type { HoursQuery } from "../../../domain/reports/hours-query.ts";
import { type RatedTime, totalOf } from "../../../domain/reports/on-call-hours.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant, MINUTE } from "../../../domain/shared/time.ts";
import type { Context } from "../../change/context.ts";
import { showHoliday } from "../../oncall/holidays/list-holidays.ts";
import { calculateOnCallHours } from "./calculate-on-call-hours.ts";
import type { OnCallHours, RatedMinutes } from "./contract.ts";

const inMinutes = (time: RatedTime): RatedMinutes => ({
  weekday: time.weekday / MINUTE,
  night: time.night / MINUTE,
  weekend: time.weekend / MINUTE,
  holiday: time.holiday / MINUTE,
  total: totalOf(time) / MINUTE,
});

/** Reports the hours on call by person and rate class; 422 as of `calculateOnCallHours`. */
export async function reportOnCallHours(
  context: Context<MemberActor>,
  query: HoursQuery,
): Promise<OnCallHours | Refusal> {
  const hours = await calculateOnCallHours(context, query);
  if (isRefusal(hours)) return hours;
  return {
    start_time: formatInstant(query.window.from),
    end_time: formatInstant(query.window.to),
    time_zone: query.timeZone,
    night_start: query.nightStart,
    night_end: query.nightEnd,
    weekend_days: query.weekendDays,
    holiday_region: hours.region,
    company_holidays: query.companyHolidays,
    holidays: hours.holidays.map(showHoliday),
    by_person: hours.people.map(({ attendeeId, time, byLayer }) => ({
      account_user_id: attendeeId,
      name: hours.names.get(attendeeId) ?? null,
      minutes: inMinutes(time),
      by_layer: byLayer.map((it) => ({
        schedule_id: it.scheduleId,
        layer: it.layer,
        minutes: inMinutes(it.time),
      })),
    })),
  };
}
