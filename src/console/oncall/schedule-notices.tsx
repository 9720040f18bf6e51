// What the page of a schedule says about all of it: clock changes, layers without shifts, and the teams
// that use it; and what that of an event says about clock changes.

import { counted } from "../../domain/shared/counted.ts";
import { changesBetween, formatInstant, HOUR, zoneOf } from "../../domain/shared/time.ts";
import type { Event, EventWithClockChanges } from "../../features/oncall/events/contract.ts";
import { DayAndClock, dateOf } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Names } from "../reads.ts";
import { firstShiftAt, withoutShiftsText } from "./gap-reason.ts";
import type { OnCall, Span } from "./on-call-window.ts";

type ClockNoticesProps = {
  readonly span: Span;
  /** The zone of the schedule's events. */
  readonly theirs: string;
};

/** The clock changes of the period, in the zone of the page and in the zone of the events. */
export const ClockNotices = ({ span, theirs }: ClockNoticesProps) => {
  const { now } = useViewer();
  return (
    <>
      {[...new Set([span.zone, theirs])].flatMap((name) =>
        changesBetween(zoneOf(name), span.from, span.to).map(({ at, before, after }) => (
          <Notice tone="warn" title="Clock change.">
            In {name}, clocks go {after > before ? "forward" : "back"} by{" "}
            {Math.abs(after - before) / HOUR} h on {dateOf(at, name, now)}. Shifts at that time keep
            their start and end times and are {after > before ? "shorter" : "longer"}.
          </Notice>
        )),
      )}
    </>
  );
};

type StartNoticesProps = {
  readonly onCall: OnCall;
  readonly events: readonly Event[];
  readonly zone: string;
};

/** Layers without shifts, and those whose first shift is still to come: neither is a gap. */
export const StartNotices = ({ onCall: { turns, coverage }, events, zone }: StartNoticesProps) => {
  const { now } = useViewer();
  const empty = events.length === 0 ? null : withoutShiftsText(coverage.layers);
  const starts = coverage.layers.flatMap((it) => {
    const at = firstShiftAt(it, turns, Math.max(now, Date.parse(coverage.start_time)));
    return at === null ? [] : [{ layer: it.layer, at }];
  });
  if (empty === null && starts.length === 0) return null;
  return (
    <Notice tone="neutral">
      {empty}
      {starts.map(({ layer, at }) => (
        <>
          {" "}
          The first shift on step {layer} starts <DayAndClock at={formatInstant(at)} zone={zone} />.
        </>
      ))}
    </Notice>
  );
};

/** The teams whose alerts page the people of the schedule. */
export const UsedBy = ({ teams }: { readonly teams: Names["teams"] }) => (
  <>
    Used by{" "}
    {teams.map(({ prefix_id, name }, at) => (
      <>
        {at === 0 ? null : ", "}
        <a href={`/teams/${prefix_id}`}>{name}</a>
      </>
    ))}
  </>
);

/** `why`: why the viewer may not change what several teams use, if they may not. */
export const SharedNotice = ({ why }: { readonly why: string | null }) =>
  why === null ? null : (
    <Notice tone="neutral" title="Shared with other teams.">
      {why}
    </Notice>
  );

/** Nobody is paged by a schedule that no team uses. */
export const Unused = ({ isAdmin }: { readonly isAdmin: boolean }) => (
  <Notice tone="warn" title="No team uses this schedule.">
    Nobody is paged by it
    {isAdmin ? (
      <>
        {" "}
        until it is the schedule of <a href="/on-call">a team</a>
      </>
    ) : null}
    .
  </Notice>
);

/** The shifts of an event that a clock change makes longer or shorter, or skips. */
export const ClockChanges = ({ event }: { readonly event: EventWithClockChanges }) => (
  <>
    {event.clock_changes.slice(0, 4).map((change) => (
      <Notice tone="warn" title={`Clock change: ${change.local_start.replace("T", " ")}.`}>
        {change.happens
          ? `That shift is ${counted(Math.abs(change.longer_by_minutes ?? 0), "minute")} ${
              (change.longer_by_minutes ?? 0) < 0 ? "shorter" : "longer"
            } than the others.`
          : "That shift does not take place: the clock skips its hours."}
      </Notice>
    ))}
  </>
);
