// Six weeks as a picture: a row per week, in it a bar per shift on each layer. Gaps are red, and what
// differs from today is underlined.
import { DAY, localOf, type Zone, zoneOf } from "../../../domain/shared/time.ts";
import { colourOf } from "../../people/person-panels.tsx";
import type { Names, WithNames } from "../../reads.ts";
import { type RotationPlan, replacements, type ShownShift } from "./planned-shifts.ts";

const WIDTH = 520;
const LEFT = 54;
const LANE = 20;
const WEEK_GAP = 8;
const TOP = 18;
const CHARACTER = 6.6;
const WEEK = 7 * DAY;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The Monday (local ms) of the week of an instant. */
function mondayOf(zone: Zone, at: number): number {
  const day = Math.floor(localOf(zone, at) / DAY);
  return (day - ((((day + 3) % 7) + 7) % 7)) * DAY;
}

const weekLabel = (local: number): string =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }).format(
    local,
  );

/** The names that fit into a bar: whole, first names, or nothing. */
function fittingText(people: readonly string[], names: Names, width: number): string {
  const all = people.map(names.of);
  const firsts = all.map((name) => name.split(" ")[0] ?? name);
  const texts = [all.join(", "), firsts.join(", "), firsts.map((it) => it.slice(0, 3)).join(",")];
  return texts.find((text) => text.length * CHARACTER <= width - 8) ?? "";
}

type Bar = { readonly x: number; readonly y: number; readonly width: number };

type PlanPictureProps = WithNames<{ plan: RotationPlan; zone: string; label: string }>;

export const PlanPicture = ({ plan, names, zone: zoneName, label }: PlanPictureProps) => {
  const zone = zoneOf(zoneName);
  const first = mondayOf(zone, plan.from);
  const weeks = Array.from(
    { length: Math.ceil((localOf(zone, plan.to) - first) / WEEK) },
    (_, week) => first + week * WEEK,
  );
  const rowHeight = plan.layers.length * LANE + WEEK_GAP;
  const height = TOP + weeks.length * rowHeight;
  const day = (WIDTH - LEFT) / 7;
  /** The bars of a time span on a lane: one in each week that it touches. */
  const barsOf = ({ from, until }: { from: number; until: number }, lane: number): Bar[] =>
    weeks.flatMap((monday, week) => {
      const start = Math.max(localOf(zone, Math.max(from, plan.from)), monday);
      const end = Math.min(localOf(zone, Math.min(until, plan.to)), monday + WEEK);
      if (start >= end) return [];
      const x = LEFT + ((start - monday) / DAY) * day;
      const y = TOP + week * rowHeight + lane * LANE;
      return [{ x, y, width: Math.max(1, ((end - start) / DAY) * day - 1) }];
    });
  const shift = (it: ShownShift, lane: number) =>
    barsOf(it, lane).map(({ x, y, width }) => {
      const isGap = it.people.length === 0;
      const text = isGap && width > 50 ? "Nobody" : fittingText(it.people, names, width);
      return (
        <>
          <rect
            class={isGap ? "plan-gap" : `plan-bar ${colourOf(names, it.people[0] ?? "")}`}
            x={x}
            y={y}
            width={width}
            height={LANE - 3}
            rx="3"
          />
          {text === "" ? null : (
            <text class={isGap ? "plan-gap-name" : "plan-name"} x={x + 4} y={y + 12.5}>
              {text}
            </text>
          )}
        </>
      );
    });
  return (
    <svg class="plan" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      {WEEKDAYS.map((name, at) => (
        <text class="plan-mark" x={LEFT + at * day + 2} y="11">
          {name}
        </text>
      ))}
      {weeks.map((monday, week) => (
        <>
          <text class="plan-mark" x="0" y={TOP + week * rowHeight + 12}>
            {weekLabel(monday)}
          </text>
          {WEEKDAYS.map((_, at) => (
            <line
              class="plan-line"
              x1={LEFT + at * day - 0.5}
              x2={LEFT + at * day - 0.5}
              y1={TOP + week * rowHeight - 2}
              y2={TOP + (week + 1) * rowHeight - WEEK_GAP}
            />
          ))}
        </>
      ))}
      {plan.layers.map(({ shifts }, lane) => shifts.map((it) => shift(it, lane)))}
      {replacements(plan).flatMap((it) =>
        barsOf(
          it,
          plan.layers.findIndex(({ layer }) => layer === it.layer),
        ).map(({ x, y, width }) => (
          <rect class="plan-changed" x={x} y={y + LANE - 4} width={width} height="3" />
        )),
      )}
    </svg>
  );
};
