// The form of the page of on-call hours: its values from the query string, and the query of the API
// that they stand for.
import { civilDate, dayNumber, parseDate } from "../../domain/shared/calendar.ts";
import { type FieldError, type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import type { Visit } from "../page.ts";

export type HoursForm = {
  /** The first and the last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly region: string;
  readonly companyHolidays: boolean;
  readonly nightStart: string;
  readonly nightEnd: string;
  /** Sunday is 0. */
  readonly weekendDays: readonly string[];
  /** The id of a schedule; empty: all. */
  readonly schedule: string;
};

const textOf = (day: number) => formatInstant(day * DAY).slice(0, 10);

/** The values of the form; at first the last month, in the viewer's time zone. */
export function readHoursForm({ query, session, now }: Visit): HoursForm {
  const today = civilDate(Math.floor(localOf(zoneOf(session.timeZone), now) / DAY));
  const thisMonth = dayNumber(today.year, today.month, 1);
  const lastDay = civilDate(thisMonth - 1);
  const text = (name: string, initial: string) => query.get(name)?.trim() || initial;
  const isSubmitted = query.has("weekend_days[]");
  return {
    from: text("from", textOf(dayNumber(lastDay.year, lastDay.month, 1))),
    to: text("to", textOf(thisMonth - 1)),
    zone: text("zone", session.timeZone),
    region: text("region", ""),
    companyHolidays: !isSubmitted || query.has("company_holidays"),
    nightStart: text("night_start", "22:00"),
    nightEnd: text("night_end", "06:00"),
    weekendDays: isSubmitted
      ? query.getAll("weekend_days[]").filter((day) => day !== "")
      : ["6", "0"],
    schedule: text("schedule", ""),
  };
}

/** The query of the API; a refusal if the days or the zone are invalid. */
export function apiQueryOf(form: HoursForm): Readonly<Record<string, string>> | Refusal {
  const [from, to] = [parseDate(form.from), parseDate(form.to)];
  const faults: FieldError[] = [];
  if (from === null) faults.push({ field: "from", message: "from is not a date" });
  if (to === null) faults.push({ field: "to", message: "to is not a date" });
  if (!isKnownZone(form.zone)) faults.push({ field: "zone", message: "zone is not a time zone" });
  if (from === null || to === null || faults.length > 0) return refuseFields(faults);
  const zone = zoneOf(form.zone);
  const midnight = (day: number) => formatInstant(instantOf(zone, day * DAY));
  return {
    start: midnight(from),
    end: midnight(to + 1),
    time_zone: form.zone,
    night_start: form.nightStart,
    night_end: form.nightEnd,
    // A parameter without any text would be left out, and mean the usual days.
    weekend_days: form.weekendDays.join(",") || ",",
    holiday_region: form.region,
    company_holidays: String(form.companyHolidays),
    schedule_ids: form.schedule,
  };
}
