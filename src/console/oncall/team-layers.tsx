// Who is on call on each layer of a team now, who is next, and the next hours without anybody.
import { SHORTEST_GAP_MS } from "../../domain/oncall/notices/gaps.ts";
import { isWatchedLayer } from "../../domain/oncall/notices/uncovered.ts";
import { DAY } from "../../domain/shared/time.ts";
import type {
  CoverageGap,
  OnCallEntry,
  OnCallTeam,
} from "../../features/oncall/on-call/contract.ts";
import type { EscalationPolicy } from "../../features/routing/escalation-policies/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { ActionButton } from "../../kernel/console/form.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import { belongsToTeams } from "../access/reach.ts";
import type { Visit } from "../page.ts";
import { Everybody } from "../people/person-panels.tsx";
import type { Names } from "../reads.ts";
import { joinEntries, plannedEntry, type ShownShift } from "./rotation/planned-shifts.ts";

/** How far ahead is read. */
export const AHEAD = 30 * DAY;

const NO_BREAK = "\u00a0";

export type TeamLayer = {
  readonly layer: number;
  readonly current: ShownShift | null;
  readonly next: ShownShift | null;
  /** The entry that runs now; null if there is none, or several are on the layer. */
  readonly running: OnCallEntry | null;
  /** Instead of whom others are on call now: people who are away. */
  readonly absent: readonly string[];
  /** The hours ahead without anybody; none of a layer that nobody means to fill. */
  readonly gaps: readonly CoverageGap[];
  readonly hasShifts: boolean;
};

/**
 * The layers of a team, ascending, for `AHEAD` from now; none of a team without a schedule.
 *
 * @param now epoch ms
 */
export function layersOf(
  onCall: OnCallTeam | undefined,
  policy: EscalationPolicy | null | undefined,
  now: number,
): readonly TeamLayer[] {
  const { entries, layers } = onCall ?? { entries: [], layers: [] };
  const policyLayers = (policy?.escalation_layers ?? []).map(({ layer }) => layer);
  return layers.map((coverage) => {
    const { layer, gaps, has_shifts: hasShifts } = coverage;
    const ofLayer = entries.filter((entry) => entry.layer === layer);
    const shifts = joinEntries(ofLayer.map(plannedEntry), now, now + AHEAD).filter(
      ({ people }) => people.length > 0,
    );
    const running = ofLayer.filter(
      ({ start_time, end_time }) => Date.parse(start_time) <= now && now < Date.parse(end_time),
    );
    const isGap = ({ start_time, end_time }: CoverageGap) =>
      Date.parse(end_time) - Math.max(now, Date.parse(start_time)) >= SHORTEST_GAP_MS;
    return {
      layer,
      current: shifts.find(({ from }) => from === now) ?? null,
      next: shifts.find(({ from }) => from > now) ?? null,
      running: running.length === 1 ? (running[0] ?? null) : null,
      absent: running.flatMap((it) => it.absent.map(({ account_user_id: id }) => id)),
      gaps: isWatchedLayer(coverage, policyLayers) ? gaps.filter(isGap) : [],
      hasShifts,
    };
  });
}

/** The words on the button, and on the one that confirms it. */
export const TAKE_SHIFT = "Take this shift";

type TakeOverButtonProps = {
  readonly eventId: string;
  /** The start of the shift, or of the part of it. */
  readonly at: string;
  /** Where the person came from; without a schedule: On call. */
  readonly fields?: Readonly<Record<string, string>>;
};

export const TakeOverButton = ({ eventId, at, fields = {} }: TakeOverButtonProps) => (
  <ActionButton
    to={`/events/${encodeURIComponent(eventId)}/take_over`}
    label={TAKE_SHIFT}
    fields={{ ...fields, at }}
  />
);

type ShownLayer = { readonly layer: TeamLayer; readonly names: Names };

/** Who is on call on a layer now, until when, and the button that takes the shift over. */
export const CurrentShift = ({ visit, layer, names }: ShownLayer & { readonly visit: Visit }) => {
  const { now, session } = visit;
  const { current, running, absent } = layer;
  if (current === null) return <strong class={layer.hasShifts ? "nobody" : "soft"}>Nobody</strong>;
  const isMine = current.people.includes(session.actor.accountUserId);
  return (
    <div class="shift-now">
      <strong>
        <Everybody names={names} ids={current.people} />
      </strong>{" "}
      {isMine ? <Badge tone="busy">you</Badge> : null}
      {absent.length > 0 ? (
        <div class="soft">
          instead of <Everybody names={names} ids={absent} />, away
        </div>
      ) : null}
      <div class="soft">
        {current.until >= now + AHEAD ? (
          "for more than 30 days"
        ) : (
          <>
            until <Moment at={current.until} />{" "}
            {`(${lengthOf(current.until - now)} left)`.replaceAll(" ", NO_BREAK)}
          </>
        )}
      </div>
      {running && !isMine && belongsToTeams(visit, names, [running.schedule_id]) ? (
        <TakeOverButton eventId={running.event_id} at={running.start_time} />
      ) : null}
    </div>
  );
};

export const NextShift = ({ layer: { next }, names }: ShownLayer) =>
  next === null ? null : (
    <>
      <Everybody names={names} ids={next.people} />
      <div class="soft">
        from <Moment at={next.from} />
      </div>
    </>
  );

/** Hours without anybody on call: `now, for 2 h`, `Tue 14:00 to Wed 09:00 (19 h)`. */
export const GapText = ({ gap }: { readonly gap: CoverageGap }) => {
  const { now } = useViewer();
  const [from, to] = [Math.max(now, Date.parse(gap.start_time)), Date.parse(gap.end_time)];
  const isOpen = to >= now + AHEAD;
  if (from <= now) return <>now, for {isOpen ? "at least 30 days" : lengthOf(to - from)}</>;
  return (
    <>
      from <Moment at={from} />
      {isOpen ? " on" : ` (${lengthOf(to - from)})`}
    </>
  );
};
