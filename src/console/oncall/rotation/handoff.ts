// When the turns of a rotation hand off, on the wall clock of its zone. Instants are epoch ms.
import { addMonths, civilDate, weekday } from "../../../domain/shared/calendar.ts";
import { DAY, instantOf, localOf, MINUTE, type Zone } from "../../../domain/shared/time.ts";

export const TURN_UNITS = ["daily", "weekly", "monthly"] as const;
export type TurnUnit = (typeof TURN_UNITS)[number];

export type HandoffChoice = {
  readonly unit: TurnUnit;
  /** Of a weekly turn; Sunday is 0. */
  readonly day: number;
  /** Of a monthly turn: the day of the month, from 1. */
  readonly date: number;
  /** Minutes after midnight. */
  readonly minute: number;
};

export function handoffOf(unit: TurnUnit, startAt: number, zone: Zone): HandoffChoice {
  const local = localOf(zone, startAt);
  const day = Math.floor(local / DAY);
  return {
    unit,
    day: weekday(day),
    date: civilDate(day).day,
    minute: Math.floor((local - day * DAY) / MINUTE),
  };
}

function isHandoffDay({ unit, day, date }: HandoffChoice, dayNumber: number): boolean {
  switch (unit) {
    case "daily":
      return true;
    case "weekly":
      return weekday(dayNumber) === day;
    case "monthly":
      return civilDate(dayNumber).day === date;
  }
}

/** A month without the date has no handoff in this search, so it may go back two months. */
const FARTHEST_DAYS = 93;

/** The last handoff at or before an instant. */
export function lastHandoff(handoff: HandoffChoice, zone: Zone, at: number): number {
  const today = Math.floor(localOf(zone, at) / DAY) + 1;
  for (let back = 0; back <= FARTHEST_DAYS; back++) {
    if (!isHandoffDay(handoff, today - back)) continue;
    const start = instantOf(zone, (today - back) * DAY + handoff.minute * MINUTE);
    if (start <= at) return start;
  }
  return at;
}

type Turns = {
  /** The number of units in a turn. */
  readonly every: number;
  readonly zone: Zone;
  /** The start (epoch ms) of a turn that others are whole turns away from; NaN: any handoff. */
  readonly anchorAt: number;
};

/** The start of the turn of several units that runs at an instant. */
export function lastTurn(
  handoff: HandoffChoice,
  { every, zone, anchorAt }: Turns,
  at: number,
): number {
  const last = lastHandoff(handoff, zone, at);
  if (Number.isNaN(anchorAt)) return last;
  let start = last;
  for (let back = 0; back < every; back++) {
    if (unitsBetween(handoff.unit, anchorAt, start, zone) % every === 0) return start;
    start = lastHandoff(handoff, zone, start - 1);
  }
  return last;
}

function unitsBetween(unit: TurnUnit, from: number, until: number, zone: Zone): number {
  const [first, last] = [from, until].map((at) => Math.floor(localOf(zone, at) / DAY));
  if (first === undefined || last === undefined) return 0;
  if (unit !== "monthly") return Math.round((last - first) / (unit === "weekly" ? 7 : 1));
  const [one, other] = [civilDate(first), civilDate(last)];
  return (other.year - one.year) * 12 + other.month - one.month;
}

export function endOfTurn(unit: TurnUnit, every: number, startAt: number, zone: Zone): number {
  const local = localOf(zone, startAt);
  const day = Math.floor(local / DAY);
  const clock = local - day * DAY;
  const end =
    unit === "monthly"
      ? addMonths(civilDate(day), every)
      : day + every * (unit === "weekly" ? 7 : 1);
  return instantOf(zone, end * DAY + clock);
}

/** The start of a turn, moved to another handoff: a weekday by at most three days. */
export function movedStart(
  startAt: number,
  from: HandoffChoice,
  to: HandoffChoice,
  zones: MovedZones,
): number {
  const local = localOf(zones.from, startAt);
  const week = (((to.day - from.day + 3) % 7) + 7) % 7;
  const days = { daily: 0, weekly: week - 3, monthly: to.date - from.date }[to.unit];
  return instantOf(zones.to, local + days * DAY + (to.minute - from.minute) * MINUTE);
}

type MovedZones = { readonly from: Zone; readonly to: Zone };
