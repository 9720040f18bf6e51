// Alerts by weekday and hour as a heat map. A table below it contains the numbers.
import type { ReportHour } from "../../features/reports/reports/contract.ts";
export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

const SIZE = 27;
const LEFT = 40;
const TOP = 20;

/** The shade, 1 to 5. */
const stepOf = (count: number, most: number) => Math.max(1, Math.ceil((count / most) * 5));

/** All cells in one path, without alerts: an element for each were most of the page. */
const EMPTY_CELLS = DAYS.map(
  (_, at) => `M${LEFT} ${TOP + at * SIZE}${`h24v24h-24zm${SIZE} 0`.repeat(24)}`,
).join("");

export const HoursOfWeek = ({ hours }: { readonly hours: readonly ReportHour[] }) => {
  const some = hours.filter(({ alerts }) => alerts > 0);
  const most = Math.max(1, ...hours.map(({ alerts }) => alerts));
  return (
    <div class="picture" tabindex={0}>
      <svg
        viewBox={`0 0 ${LEFT + 24 * SIZE} ${TOP + 7 * SIZE}`}
        role="img"
        aria-label="Alerts by weekday and hour"
      >
        {[0, 6, 12, 18].map((hour) => (
          <text class="mark" x={LEFT + hour * SIZE} y="13">
            {String(hour).padStart(2, "0")}:00
          </text>
        ))}
        {DAYS.map((day, at) => (
          <text class="mark" x="0" y={TOP + at * SIZE + 17}>
            {day}
          </text>
        ))}
        <path class="heat heat-0" d={EMPTY_CELLS} />
        {some.map(({ weekday, hour, alerts }) => (
          <rect
            class={`heat heat-${stepOf(alerts, most)}`}
            x={LEFT + hour * SIZE}
            y={TOP + (weekday - 1) * SIZE}
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
