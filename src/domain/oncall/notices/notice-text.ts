// The texts of notices about shifts and gaps, in the recipient's time zone. A subject is complete in
// itself: an SMS consists of it. Pure.
import { counted } from "../../shared/counted.ts";
import { DAY, END_OF_TIME, HOUR, MINUTE, wallClockAt } from "../../shared/time.ts";
import type { Interval } from "../override-precedence.ts";
import type { DueReminder } from "./reminders.ts";
import { type HoursChange, type LayerInterval, NOTICE_WINDOW_MS } from "./shift-changes.ts";

export type NoticeText = { readonly subject: string; readonly text: string };

/** Maximum number of shifts or gaps that a list names; it states how many more there are. */
const MAX_LISTED = 20;

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = [
  ...["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
];

/** `Mon 4 Mar`. */
function dateText(at: number, zone: string): string {
  const { weekday, day, month } = wallClockAt(zone, at);
  return `${DAYS[weekday]} ${day} ${MONTHS[month - 1]}`;
}

/** `09:00`. */
function clockText(at: number, zone: string): string {
  const { hour, minute } = wallClockAt(zone, at);
  return [hour, minute].map((it) => String(it).padStart(2, "0")).join(":");
}

/** `Mon 4 Mar 09:00`. */
export const momentText = (at: number, zone: string): string =>
  `${dateText(at, zone)} ${clockText(at, zone)}`;

/** `Mon 4 Mar 09:00 – 17:00`; with the date of the end if it is another. */
export function hoursText({ startAt, endAt }: Interval, zone: string): string {
  const [day, lastDay] = [dateText(startAt, zone), dateText(Math.min(endAt, END_OF_TIME), zone)];
  const start = `${day} ${clockText(startAt, zone)}`;
  if (endAt >= END_OF_TIME) return `from ${start} on`;
  const end = clockText(endAt, zone);
  return day === lastDay && endAt - startAt < DAY
    ? `${start} – ${end}`
    : `${start} – ${lastDay} ${end}`;
}

type Listed = Interval & { readonly layer: number; readonly schedule?: string };

const lineOf = (zone: string) => (it: Listed) =>
  `${it.schedule === undefined ? "" : `${it.schedule}, `}step ${it.layer}: ${hoursText(it, zone)}`;

/** The first of them, and how many more there are. */
function summary(all: readonly Listed[], zone: string): string {
  const [first] = all;
  if (first === undefined) return "";
  return `${lineOf(zone)(first)}${all.length === 1 ? "" : ` and ${all.length - 1} more`}`;
}

function listText(all: readonly Listed[], zone: string): string[] {
  const lines = all.slice(0, MAX_LISTED).map((it) => `- ${lineOf(zone)(it)}`);
  const more = all.length - lines.length;
  return more === 0 ? lines : [...lines, `- and ${more} more`];
}

const joined = (lines: readonly string[]) => `${lines.join("\n")}\n`;

/**
 * The notice of a change that put a person on or took them off shifts.
 *
 * @param notes further lines
 */
export function shiftChangeText(
  schedule: string,
  { added, removed }: Pick<HoursChange, "added" | "removed">,
  zone: string,
  notes: readonly string[] = [],
): NoticeText {
  const what =
    removed.length === 0
      ? `You were put on call in ${schedule}`
      : added.length === 0
        ? `You were taken off call in ${schedule}`
        : `Your on-call shifts in ${schedule} were changed`;
  const days = NOTICE_WINDOW_MS / DAY;
  return {
    subject: `${what}: ${summary(added.length > 0 ? added : removed, zone)}`,
    text: joined([
      `${what}.`,
      ...(added.length === 0 ? [] : ["", "Now on call:", ...listText(added, zone)]),
      ...(removed.length === 0 ? [] : ["", "No longer on call:", ...listText(removed, zone)]),
      ...(notes.length === 0 ? [] : ["", ...notes]),
      "",
      `Times in ${zone}. Only changes of the next ${days} days are listed.`,
    ]),
  };
}

/** The notice of gaps, to one of the team's recipients. */
export function gapText(team: string, gaps: readonly LayerInterval[], zone: string): NoticeText {
  return {
    subject: `Nobody is on call for ${team}: ${summary(gaps, zone)}`,
    text: joined([
      `Nobody is on call for ${team} in these hours:`,
      "",
      ...listText(gaps, zone),
      "",
      `Times in ${zone}. Each gap is reported once, when it is less than 14 days away.`,
    ]),
  };
}

/** The reminder of a shift that is about to begin. */
export function reminderText(
  schedule: string,
  { reminder, layer, startAt, endAt }: Omit<DueReminder, "accountUserId" | "dueAt">,
  zone: string,
): NoticeText {
  const when =
    reminder.minutes_before === 0 ? "now" : `in ${durationText(reminder.minutes_before)}`;
  const hours = hoursText({ startAt, endAt }, zone);
  return {
    subject: `You go on call ${when}: ${schedule}, step ${layer}, ${hours}`,
    text: joined([
      `You go on call ${when}.`,
      "",
      `${schedule}, step ${layer}: ${hours}`,
      "",
      `Times in ${zone}.`,
    ]),
  };
}

/** `15 minutes`, `1 hour`, `2 days`, `1 hour 30 minutes`. */
function durationText(minutes: number): string {
  const units = [
    [DAY, "day"],
    [HOUR, "hour"],
    [MINUTE, "minute"],
  ] as const;
  let rest = minutes * MINUTE;
  return units
    .flatMap(([length, name]) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      return count === 0 ? [] : [counted(count, name)];
    })
    .join(" ");
}

/** A shift of a person's week. */
export type DigestShift = LayerInterval & { readonly schedule: string };

/** The weekly digest: a person's shifts in [from, to), by start. */
export function digestText(
  shifts: readonly DigestShift[],
  { from, to, zone }: { readonly from: number; readonly to: number; readonly zone: string },
): NoticeText {
  const week = `${dateText(from, zone)} to ${dateText(to, zone)}`;
  if (shifts.length === 0) {
    return {
      subject: `Your on-call shifts, ${week}: none`,
      text: joined([`You have no on-call shifts from ${week}.`]),
    };
  }
  return {
    subject: `Your on-call shifts, ${week}: ${summary(shifts, zone)}`,
    text: joined([
      `Your on-call shifts from ${week}:`,
      "",
      ...listText(shifts, zone),
      "",
      `Times in ${zone}.`,
    ]),
  };
}
