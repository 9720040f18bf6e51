// Draws new series, and lines of people.
import type { Line } from "../../../support/oncall/roster-reference.ts";
import type { Change } from "./changes.ts";
import { addMonths, DAY, dateOf, HOUR, instantOf, localOf, ZONES } from "./clock.ts";
import type { Draw, Place } from "./draw.ts";
import type { Restriction, Rule } from "./recurrence.ts";

const NIGHTS: Restriction = { days: [1, 2, 3, 4, 5], start: 18 * 60, end: 8 * 60 };
export const OFFICE: Restriction = { days: [], start: 9 * 60, end: 17 * 60 };
const WEEKEND: Restriction = { days: [0, 6], start: 0, end: 24 * 60 };

export function drawCreate({ now, zone: home, draw, present, key }: Place): Change {
  const zone = draw.chance(0.7) ? home : (draw.one(Object.keys(ZONES)) ?? home);
  const unit =
    draw.one(["hourly", "daily", "daily", "weekly", "weekly", "monthly", null] as const) ?? null;
  const hour = draw.one([0, 0, 2, 9, 17, 23]) ?? 0;
  const days = draw.upTo(unit === "monthly" ? 70 : 30) - (unit === "monthly" ? 65 : 22);
  const from =
    dateOf(localOf(zone, now)) + (days * 24 + hour) * HOUR + (draw.chance(0.1) ? HOUR / 2 : 0);
  const monthEnd = addMonths(dateOf(from) - (new Date(from).getUTCDate() - 1) * DAY, 1) - DAY;
  const local = unit === "monthly" && draw.chance(0.6) ? monthEnd + from - dateOf(from) : from;
  const every = unit === "hourly" ? (draw.one([6, 8, 12]) ?? 12) : (draw.one([1, 1, 1, 2]) ?? 1);
  const chosen =
    unit === "daily" || unit === "weekly"
      ? (draw.one([[], [], [], [1, 2, 3, 4, 5], [0, 6], [2, 4]]) ?? [])
      : [];
  const length =
    unit === null
      ? (draw.upTo(71) + 1) * HOUR
      : unit === "hourly"
        ? every * HOUR + (draw.chance(0.1) ? HOUR : 0)
        : unit === "daily"
          ? (draw.one([24, 24, 8, 26]) ?? 24) * every * HOUR
          : unit === "weekly"
            ? chosen.length > 0
              ? (draw.one([24, 9]) ?? 24) * HOUR
              : (draw.one([7 * every, 7 * every, 5]) ?? 7) * DAY
            : 0;
  const ends =
    unit === "monthly"
      ? draw.chance(0.6)
        ? addMonths(local, every)
        : local + 3 * DAY
      : local + length;
  const isLong = unit !== null && length >= DAY;
  const rule: Rule = {
    ...{
      start: instantOf(zone, local),
      end: instantOf(zone, ends),
      zone,
      unit,
      every,
      days: chosen,
    },
    layer: draw.one([1, 1, 1, 2]) ?? 1,
    priority: draw.chance(0.15) ? 1 : 0,
    lastDay: unit !== null && draw.chance(0.1) ? now + (10 + draw.upTo(40)) * DAY : null,
    restrictions:
      isLong && draw.chance(0.25) ? [draw.one([NIGHTS, OFFICE, WEEKEND]) ?? OFFICE] : [],
    skipsAway: draw.chance(0.3),
  };
  const rotates = unit !== null && draw.chance(0.85);
  const isNobody = rule.priority > 0 && !rotates && draw.chance(0.3);
  const line = isNobody ? [] : drawLine(present, draw, rotates);
  return { kind: "create", key, rule, rotates, line };
}

/** Positions of people: alone, sometimes with others, and sometimes nobody's turn. */
export function drawLine(present: string, draw: Draw, rotates: boolean): Line {
  const people = draw.some([...present], 1 + draw.upTo(3));
  const line: string[][] = people.map((it) => [it]);
  if (!rotates) return line;
  const other = draw.one([...present].filter((it) => !people.includes(it)));
  if (other !== undefined && draw.chance(0.15)) draw.one(line)?.push(other);
  if (draw.chance(0.06)) line.push([]);
  return line;
}

export const drawSome = ({ draw, present }: Place, most: number): string =>
  draw
    .some([...present], 1 + draw.upTo(most - 1))
    .sort()
    .join("");
