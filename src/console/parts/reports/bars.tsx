// Bars drawn by the server: one for each thing counted, in one or two heights. The numbers stand in a table below.
export type Bar = {
  /** What it is, where it is pointed at. */
  readonly label: string;
  /** What stands below it, and below those beside it with the same. */
  readonly group: string;
  /** The class that colours it (`who-0` …). */
  readonly colour: string;
  readonly value: number;
  /** Drawn behind, paler: the 90th percentile behind the median. */
  readonly behind?: number;
};

const WIDTH = 560;
const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 26;
const TOP = 14;
const THICKEST = 36;

/** A number at or above the largest whose half is a whole one too: 2, 4, 10, 20, 40 … */
function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([2, 4, 10, 20].find((it) => it * power >= most) ?? 20) * power;
}

/** Where each group of neighbours begins, and how many they are. */
function groupsOf(bars: readonly Bar[]): readonly { name: string; from: number; count: number }[] {
  const groups: { name: string; from: number; count: number }[] = [];
  for (const [at, { group }] of bars.entries()) {
    const last = groups.at(-1);
    if (last?.name === group) last.count += 1;
    else groups.push({ name: group, from: at, count: 1 });
  }
  return groups;
}

export const Bars = ({
  bars,
  label,
  show = String,
  top = roundUp,
}: {
  readonly bars: readonly Bar[];
  /** What the picture shows, for who cannot see it. */
  readonly label: string;
  readonly show?: (value: number) => string;
  /** The scale's end, given the largest value. */
  readonly top?: (most: number) => number;
}) => {
  const most = top(Math.max(1, ...bars.flatMap((bar) => [bar.value, bar.behind ?? 0])));
  const width = (WIDTH - LEFT) / Math.max(1, bars.length);
  const thick = Math.min(width * 0.75, THICKEST);
  const floor = HEIGHT - BOTTOM;
  const heightOf = (value: number) => ((floor - TOP) * value) / most;
  const groups = groupsOf(bars);
  const every = Math.ceil(groups.length / 8);
  const rect = (bar: Bar, at: number, value: number, kind: string) => (
    <rect
      class={`${kind} ${bar.colour}`}
      x={LEFT + at * width + (width - thick) / 2}
      y={floor - heightOf(value)}
      width={thick}
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
