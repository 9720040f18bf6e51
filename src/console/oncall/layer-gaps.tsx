// The coverage gaps of a team's layers.
import { DAY } from "../../domain/shared/time.ts";
import type { OnCallTeam } from "../../features/oncall/on-call/contract.ts";
import { lengthOf, Moment } from "../../kernel/console/moment.tsx";
import type { Visit } from "../page.ts";
import { withoutShiftsText } from "./gap-reason.ts";

type LayerWithGaps = Pick<OnCallTeam["layers"][number], "layer" | "gaps" | "has_shifts"> & {
  /** When the first shift starts, if that is still to come (epoch ms). */
  readonly startsAt: number | null;
};
type Gap = LayerWithGaps["gaps"][number];

const lengthOfGap = ({ start_time, end_time }: Gap) =>
  Date.parse(end_time) - Date.parse(start_time);

const GapText = ({ visit, gap }: Readonly<{ visit: Visit; gap: Gap }>) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <>
      <Moment at={gap.start_time} {...time} /> to <Moment at={gap.end_time} {...time} /> (
      {lengthOf(lengthOfGap(gap))})
    </>
  );
};

/** A layer's gaps: the next one, and the others in a disclosure. */
const LayerGaps = ({
  visit,
  layer,
  windowMs,
}: Readonly<{ visit: Visit; layer: LayerWithGaps; windowMs: number }>) => {
  const [first, ...others] = layer.gaps;
  if (!first) return null;
  return (
    <li>
      Layer {layer.layer}:{" "}
      {lengthOfGap(first) >= windowMs ? (
        `the next ${windowMs / DAY} days`
      ) : (
        <GapText visit={visit} gap={first} />
      )}
      {others.length > 0 ? (
        <details>
          <summary>and {others.length} more</summary>
          <ul>
            {others.map((gap) => (
              <li>
                <GapText visit={visit} gap={gap} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
};

/** Layers without shifts, and those whose first shift is still to come: neither is a gap. */
const WithoutGaps = ({ visit, layers, windowMs }: GapsProps) => {
  const empty = withoutShiftsText(layers);
  const starting = layers.flatMap(({ layer, startsAt }) =>
    startsAt === null ? [] : [{ layer, startsAt }],
  );
  const isCovered = layers.every(({ gaps }) => gaps.length === 0);
  if (empty === null && starting.length === 0) {
    return isCovered ? (
      <p class="soft">Every layer is covered for the next {windowMs / DAY} days.</p>
    ) : null;
  }
  return (
    <p class="soft">
      {empty}
      {starting.map(({ layer, startsAt }) => (
        <>
          {" "}
          The first shift on layer {layer} starts{" "}
          <Moment at={startsAt} zone={visit.session.timeZone} now={visit.now} />.
        </>
      ))}
    </p>
  );
};

type GapsProps = {
  readonly visit: Visit;
  readonly layers: readonly LayerWithGaps[];
  readonly windowMs: number;
};

/** The gaps of a team's layers in the time ahead (ms). */
export const Gaps = (props: GapsProps) => (
  <>
    {props.layers.every(({ gaps }) => gaps.length === 0) ? null : (
      <div class="gaps">
        <strong>Coverage gaps:</strong>
        <ul>
          {props.layers.map((layer) => (
            <LayerGaps visit={props.visit} layer={layer} windowMs={props.windowMs} />
          ))}
        </ul>
      </div>
    )}
    <WithoutGaps {...props} />
  </>
);
