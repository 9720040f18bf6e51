// A team's layers on call: who is on call now, until when, who is next, and the gaps ahead.

import type { OnCallTeam } from "../../../contract/oncall/on-call.ts";
import type { Team } from "../../../contract/people/team.ts";
import type { EscalationPolicy } from "../../../contract/routing/escalation-policy.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { mergeShifts, type OnCallShift } from "../../oncall/current-shifts.ts";
import { firstShiftAt, withoutShiftsText } from "../../oncall/gap-reason.ts";
import type { Visit } from "../../page.ts";
import type { Names } from "../../shared/names.ts";
import { Everybody } from "../people/person.tsx";
import { Badge } from "../shared/badge.tsx";
import { lengthOf, Moment } from "../shared/moment.tsx";
import { Panel } from "../shared/panel.tsx";
import { spanText, stepsOf } from "./layers.tsx";

/** How far ahead the pages look (ms). */
export const WINDOW = 30 * DAY;

type Layer = {
  readonly layer: number;
  /** `10 min`, from the policy; null if no policy escalates to the layer. */
  readonly timeout: string | null;
  readonly current: OnCallShift | null;
  readonly next: OnCallShift | null;
  readonly coverage: OnCallTeam["layers"][number];
  readonly gaps: OnCallTeam["layers"][number]["gaps"];
  /** When the first shift starts, if that is still to come. */
  readonly startsAt: number | null;
};

type Gap = Layer["gaps"][number];
export type TeamLayers = { readonly team: Team; readonly layers: readonly Layer[] };

/** What is shown of each layer of a team. */
export function layersOf(
  { entries, layers }: OnCallTeam,
  policy: EscalationPolicy | undefined,
  now: number,
): Layer[] {
  return layers.map((coverage) => {
    const { layer, gaps } = coverage;
    const ofLayer = entries.filter((entry) => entry.layer === layer);
    const shifts = mergeShifts(ofLayer, now, now + WINDOW);
    const current = shifts.find(({ from }) => from === now) ?? null;
    const step = policy?.escalation_layers.find((it) => it.layer === layer);
    return {
      layer,
      timeout: step ? spanText(stepsOf([step], 0)[0]?.to ?? 0) : null,
      current,
      next: shifts.find(({ from }) => from > now) ?? null,
      coverage,
      gaps,
      startsAt: firstShiftAt(coverage, ofLayer, now),
    };
  });
}

const CurrentShift = ({
  visit,
  shift,
  names,
}: Readonly<{ visit: Visit; shift: OnCallShift; names: Names }>) => {
  const { now, session } = visit;
  const isMine = shift.people.includes(session.actor.accountUserId);
  return (
    <div class="shift-now">
      <strong>
        <Everybody names={names} ids={shift.people} />
      </strong>{" "}
      {isMine ? <Badge tone="busy">you</Badge> : null}
      <div class="soft">
        {shift.until >= now + WINDOW ? (
          "for more than 30 days"
        ) : (
          <>
            until <Moment at={shift.until} zone={session.timeZone} now={now} />{" "}
            {`(${lengthOf(shift.until - now)} left)`}
          </>
        )}
      </div>
    </div>
  );
};

const LayerLine = ({
  visit,
  layer,
  names,
}: Readonly<{ visit: Visit; layer: Layer; names: Names }>) => (
  <div class="team-shift">
    <div>
      Layer {layer.layer}
      {layer.timeout ? <div class="soft">timeout {layer.timeout}</div> : null}
    </div>
    {layer.current ? (
      <CurrentShift visit={visit} shift={layer.current} names={names} />
    ) : (
      <div class={layer.layer > 1 && !layer.coverage.has_shifts ? "soft" : "nobody"}>Nobody</div>
    )}
    <div>
      {layer.next ? (
        <>
          <span class="soft">next:</span> <Everybody names={names} ids={layer.next.people} />
          <div class="soft">
            from <Moment at={layer.next.from} zone={visit.session.timeZone} now={visit.now} />
          </div>
        </>
      ) : null}
    </div>
  </div>
);

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
const LayerGaps = ({ visit, layer }: Readonly<{ visit: Visit; layer: Layer }>) => {
  const [first, ...others] = layer.gaps;
  if (!first) return null;
  return (
    <li>
      Layer {layer.layer}:{" "}
      {lengthOfGap(first) >= WINDOW ? "the next 30 days" : <GapText visit={visit} gap={first} />}
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

/** What is to be said of layers that have no gaps. */
const WithoutGaps = ({ visit, layers }: Readonly<{ visit: Visit; layers: readonly Layer[] }>) => {
  const empty = withoutShiftsText(layers.map(({ coverage }) => coverage));
  const starting = layers.filter(({ startsAt }) => startsAt !== null);
  const isCovered = layers.every(({ gaps }) => gaps.length === 0);
  return (
    <p class="soft">
      {empty}
      {starting.map(({ layer, startsAt }) => (
        <>
          {" "}
          The first shift on layer {layer} starts{" "}
          <Moment at={startsAt ?? 0} zone={visit.session.timeZone} now={visit.now} />.
        </>
      ))}
      {isCovered && empty === null && starting.length === 0
        ? "Every layer is covered for the next 30 days."
        : null}
    </p>
  );
};

const Gaps = ({ visit, layers }: Readonly<{ visit: Visit; layers: readonly Layer[] }>) => (
  <>
    {layers.every(({ gaps }) => gaps.length === 0) ? null : (
      <div class="gaps">
        <strong>Coverage gaps:</strong>
        <ul>
          {layers.map((layer) => (
            <LayerGaps visit={visit} layer={layer} />
          ))}
        </ul>
      </div>
    )}
    <WithoutGaps visit={visit} layers={layers} />
  </>
);

export const TeamPanel = ({
  visit,
  held,
  names,
}: Readonly<{ visit: Visit; held: TeamLayers; names: Names }>) => (
  <Panel
    title={held.team.name}
    aside={
      held.team.schedule_id ? (
        <a href={`/schedules/${held.team.schedule_id}`}>Schedule</a>
      ) : (
        <Badge tone="warn">no schedule</Badge>
      )
    }
  >
    {held.layers.length === 0 ? (
      <p class="nobody">Nobody is on call. The schedule has no events.</p>
    ) : (
      <div>
        {held.layers.map((layer) => (
          <LayerLine visit={visit} layer={layer} names={names} />
        ))}
      </div>
    )}
    {held.layers.length === 0 ? null : <Gaps visit={visit} layers={held.layers} />}
  </Panel>
);
