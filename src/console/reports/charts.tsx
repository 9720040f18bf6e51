// Charts that are rendered on the server: bars, with one or two values each, and a heat map of
// alerts by weekday and hour. A table beside each has the numbers.
import type { ReportHour } from "../../features/reports/reports/contract.ts";

export type Bar = {
  /** The tooltip. */
  readonly label: string;
  /** The label below the bar; adjacent bars with the same group share it. */
  readonly group: string;
  /** The class that colours it (`who-0` …). */
  readonly colour: string;
  readonly value: number;
  /** A second, paler bar behind it, such as the 90th percentile behind the median. */
  readonly behind?: number;
};

const WIDTH = 560;
const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 26;
const TOP = 14;
const MAX_THICKNESS = 36;

/** Rounds up to a number whose half is a round one too: 2, 4, 10, 20, 40 … */
function roundUpScale(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([2, 4, 10, 20].find((it) => it * power >= most) ?? 20) * power;
}

/** The start and length of each run of bars with the same group. */
function groupsOf(bars: readonly Bar[]): readonly { name: string; from: number; count: number }[] {
  const groups: { name: string; from: number; count: number }[] = [];
  for (const [at, { group }] of bars.entries()) {
    const last = groups.at(-1);
    if (last?.name === group) last.count += 1;
    else groups.push({ name: group, from: at, count: 1 });
  }
  return groups;
}

type BarsProps = {
  readonly bars: readonly Bar[];
  /** The chart's accessible name. */
  readonly label: string;
  readonly show?: (value: number) => string;
  /** The end of the scale for the largest value. */
  readonly top?: (most: number) => number;
};

export const Bars = ({ bars, label, show = String, top = roundUpScale }: BarsProps) => {
  const most = top(Math.max(1, ...bars.flatMap((bar) => [bar.value, bar.behind ?? 0])));
  const width = (WIDTH - LEFT) / Math.max(1, bars.length);
  const thickness = Math.min(width * 0.75, MAX_THICKNESS);
  const floor = HEIGHT - BOTTOM;
  const heightOf = (value: number) => ((floor - TOP) * value) / most;
  const groups = groupsOf(bars);
  const every = Math.ceil(groups.length / 8);
  const rect = (bar: Bar, at: number, value: number, kind: string) => (
    <rect
      class={`${kind} ${bar.colour}`}
      x={LEFT + at * width + (width - thickness) / 2}
      y={floor - heightOf(value)}
      width={thickness}
      height={heightOf(value)}
      rx="2"
    >
      <title>
        {bar.label}: {show(value)}
      </title>
    </rect>
  );
  return (
    <div class="picture" tabindex={0}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, 0.5, 1].map((part) => (
          <>
            <line
              class="line"
              x1={LEFT}
              x2={WIDTH}
              y1={floor - heightOf(most * part)}
              y2={floor - heightOf(most * part)}
            />
            <text class="mark" x={LEFT - 6} y={floor - heightOf(most * part) + 4} text-anchor="end">
              {show(most * part)}
            </text>
          </>
        ))}
        {bars.map((bar, at) => (
          <>
            {bar.behind === undefined ? null : rect(bar, at, bar.behind, "bar again")}
            {rect(bar, at, bar.value, "bar")}
          </>
        ))}
        {groups.map(({ name, from, count }, at) =>
          at % every === 0 ? (
            <text
              class="mark"
              x={LEFT + (from + count / 2) * width}
              y={HEIGHT - 8}
              text-anchor="middle"
            >
              {name}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  );
};

export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

const CELL = 27;
const GRID_LEFT = 40;
const GRID_TOP = 20;

/** The shade, 1 to 5. */
const stepOf = (count: number, most: number) => Math.max(1, Math.ceil((count / most) * 5));

/** All cells in one path, without alerts: an element for each were most of the page. */
const EMPTY_CELLS = DAYS.map(
  (_, at) => `M${GRID_LEFT} ${GRID_TOP + at * CELL}${`h24v24h-24zm${CELL} 0`.repeat(24)}`,
).join("");

export const HoursOfWeek = ({ hours }: { readonly hours: readonly ReportHour[] }) => {
  const some = hours.filter(({ alerts }) => alerts > 0);
  const most = Math.max(1, ...hours.map(({ alerts }) => alerts));
  return (
    <div class="picture" tabindex={0}>
      <svg
        viewBox={`0 0 ${GRID_LEFT + 24 * CELL} ${GRID_TOP + 7 * CELL}`}
        role="img"
        aria-label="Alerts by weekday and hour"
      >
        {[0, 6, 12, 18].map((hour) => (
          <text class="mark" x={GRID_LEFT + hour * CELL} y="13">
            {String(hour).padStart(2, "0")}:00
          </text>
        ))}
        {DAYS.map((day, at) => (
          <text class="mark" x="0" y={GRID_TOP + at * CELL + 17}>
            {day}
          </text>
        ))}
        <path class="heat heat-0" d={EMPTY_CELLS} />
        {some.map(({ weekday, hour, alerts }) => (
          <rect
            class={`heat heat-${stepOf(alerts, most)}`}
            x={GRID_LEFT + hour * CELL}
            y={GRID_TOP + (weekday - 1) * CELL}
          >
            <title>
              {DAYS[weekday - 1]} {hour}:00: {alerts}
            </title>
          </rect>
        ))}
      </svg>
    </div>
  );
};
