// A chart of an escalation policy: when each layer is notified, pass after pass.
type Layer = { readonly layer: number; readonly timeout: number; readonly timeout_unit: string };

const SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

/** `1 h 05 min`, `40 s`: a time since the alert's creation. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

type Step = { readonly layer: number; readonly pass: number; readonly from: number; to: number };

/** The start and end of each layer, in seconds since the alert's creation. */
export function stepsOf(layers: readonly Layer[], repeat: number): readonly Step[] {
  let at = 0;
  return Array.from({ length: repeat + 1 }, (_, pass) =>
    layers.map(({ layer, timeout, timeout_unit }) => {
      const from = at;
      at += timeout * (SECONDS[timeout_unit] ?? 60);
      return { layer, pass: pass + 1, from, to: at };
    }),
  ).flat();
}

const WIDTH = 560;
const ROW = 30;
const LEFT = 64;

export const LayersPicture = ({
  layers,
  repeat,
}: {
  readonly layers: readonly Layer[];
  readonly repeat: number;
}) => {
  const steps = stepsOf(layers, repeat);
  const end = steps.at(-1)?.to ?? 0;
  if (end === 0) return <p class="soft">This policy has no layers. Nobody would be notified.</p>;
  const x = (seconds: number) => LEFT + ((WIDTH - LEFT - 70) * seconds) / end;
  const rows = layers.map(({ layer }) => layer);
  const height = rows.length * ROW + 30;
  const marks = [...new Set([0, ...steps.map(({ to }) => to)])].filter(
    (mark, at, all) => at === 0 || x(mark) - x(all[at - 1] ?? 0) > 44 || mark === end,
  );
  return (
    <div class="picture" tabindex={0}>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`Layers are notified one after another. The last one ends after ${spanText(end)}.`}
      >
        {rows.map((layer, row) => (
          <text x="0" y={row * ROW + 20}>
            Layer {layer}
          </text>
        ))}
        {steps.map(({ layer, pass, from, to }) => (
          <rect
            class={pass === 1 ? "bar" : "bar again"}
            x={x(from)}
            y={rows.indexOf(layer) * ROW + 5}
            width={Math.max(2, x(to) - x(from) - 2)}
            height={ROW - 10}
            rx="4"
          />
        ))}
        {marks.map((mark) => (
          <text
            class="mark"
            x={x(mark)}
            y={height - 8}
            text-anchor={mark === 0 ? "start" : "middle"}
          >
            {spanText(mark)}
          </text>
        ))}
      </svg>
    </div>
  );
};
