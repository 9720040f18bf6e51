/**
 * Warns of clock changes: lists the coming year's occurrences of an event that start or end at a
 * local time which the zone skips or repeats. `hourly` events count elapsed time and have none.
 */

import { civilDate } from "../../shared/calendar.ts";
import { clockChangeAt, DAY, HOUR, MINUTE } from "../../shared/time.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { nominalInterval } from "./occurrences.ts";
import { type Nominal, nominalBetween, type Series, seriesOf } from "./recurrence.ts";

/** Whether the zone skips or repeats a wall-clock time; null = neither. */
type ClockAnomaly = "skipped" | "repeated" | null;

export type ClockChangeNotice = {
  /** `YYYY-MM-DD HH:mm` on the event's wall clock, as the rule defines them. */
  readonly localStart: string;
  readonly localEnd: string;
  readonly start: ClockAnomaly;
  readonly end: ClockAnomaly;
  /** The resulting interval [startAt, endAt) in epoch ms; null if it does not take place. */
  readonly interval: { readonly startAt: number; readonly endAt: number } | null;
  /** How much longer it lasts than the wall clock suggests (ms); negative: shorter. */
  readonly longerBy: number;
};

const YEAR = 366 * DAY;

/** The notices for the year starting at `now` (epoch ms), ordered by start. */
export function clockChangeNotices(event: OnCallEvent, now: number): ClockChangeNotice[] {
  const series = seriesOf(event);
  const notices: ClockChangeNotice[] = [];
  const firstDay = Math.floor(now / DAY) - 2;
  for (const nominal of nominalBetween(series, firstDay, firstDay + YEAR / DAY + 4)) {
    const interval = nominalInterval(series, nominal);
    const at = interval?.startAt ?? nominal.localStart;
    if (nominal.first || at < now || at >= now + YEAR || isRemoved(event, at)) continue;
    const notice = noticeOf(series, nominal, interval);
    if (notice.start || notice.end) notices.push(notice);
  }
  return notices;
}

function isRemoved(event: OnCallEvent, at: number): boolean {
  if (event.cutAt !== null && at >= event.cutAt) return true;
  if (at < (event.beginsAt ?? 0)) return true;
  return event.exceptions.some((exception) => exception.startAt === at);
}

function noticeOf(
  series: Series,
  nominal: Nominal,
  interval: ClockChangeNotice["interval"],
): ClockChangeNotice {
  const { localStart, localEnd } = nominal;
  const length = interval ? interval.endAt - interval.startAt : 0;
  return {
    localStart: formatLocal(localStart),
    localEnd: formatLocal(localEnd),
    start: classifyLocalTime(series, localStart),
    end: classifyLocalTime(series, localEnd),
    interval: interval && { startAt: interval.startAt, endAt: interval.endAt },
    longerBy: length - (localEnd - localStart),
  };
}

function classifyLocalTime(series: Series, local: number): ClockAnomaly {
  const change = clockChangeAt(series.zone, local);
  if (!change) return null;
  return change.after > change.before ? "skipped" : "repeated";
}

function formatLocal(local: number): string {
  const day = Math.floor(local / DAY);
  const date = civilDate(day);
  const time = local - day * DAY;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return (
    `${date.year}-${two(date.month)}-${two(date.day)} ` +
    `${two(time / HOUR)}:${two((time % HOUR) / MINUTE)}`
  );
}
