// Bars drawn by the server: one for each thing counted, in one or two heights. The numbers stand in a table below.
export type Bar = {
  readonly label: string;
  readonly value: number;
  /** Drawn behind, paler: the 90th percentile behind the median. */
  readonly behind?: number;
};

const WIDTH = 720;
const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 26;
const TOP = 14;

/** A round number at or above the largest: 1, 2 or 5 times a power of ten. */
function roundUp(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([1, 2, 5, 10].find((it) => it * power >= most) ?? 10) * power;
}

export const Bars = ({
  bars,
  label,
  show = String,
}: {
  readonly bars: readonly Bar[];
  /** What the picture shows, for who cannot see it. */
  readonly label: string;
  readonly show?: (value: number) => string;
}) => {
  const most = roundUp(Math.max(1, ...bars.flatMap((bar) => [bar.value, bar.behind ?? 0])));
  const width = (WIDTH - LEFT) / Math.max(1, bars.length);
  const floor = HEIGHT - BOTTOM;
  const heightOf = (value: number) => ((floor - TOP) * value) / most;
  const every = Math.ceil(bars.length / 14);
  const rect = (bar: Bar, at: number, value: number, kind: string) => (
    <rect
      class={kind}
      x={LEFT + at * width + width * 0.15}
      y={floor - heightOf(value)}
      width={width * 0.7}
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
            {at % every === 0 ? (
              <text class="mark" x={LEFT + (at + 0.5) * width} y={HEIGHT - 8} text-anchor="middle">
                {bar.label}
              </text>
            ) : null}
          </>
        ))}
      </svg>
    </div>
  );
};
