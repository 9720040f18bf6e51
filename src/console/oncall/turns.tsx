import type { Event } from "../../features/oncall/events/contract.ts";
import type { Coverage, OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { DayAndClock, Hours } from "../../kernel/console/moment.tsx";
import { Table } from "../../kernel/console/table.tsx";
import { Everybody, Who } from "../people/person-panels.tsx";
import type { WithNames } from "../reads.ts";
import { gapReason } from "./gap-reason.ts";
import { insteadText, shiftKindOf } from "./shift-kind.ts";

type KindProps = WithNames<{ turn: OnCallEntry; event: Event | undefined }>;

const Kind = ({ turn, event, names }: KindProps) => {
  const kind = shiftKindOf(turn, event);
  if (kind === null) return null;
  if (kind === "override") return <span class="soft"> override</span>;
  if (kind === "imported") {
    return (
      <>
        {" "}
        <Badge tone="quiet">imported</Badge>
      </>
    );
  }
  return (
    <>
      {" "}
      <Badge tone="neutral">{insteadText(turn, names)}</Badge>
    </>
  );
};

type TurnListProps = WithNames<{
  turns: readonly OnCallEntry[];
  zone: string;
  scheduleId: string;
  events: readonly Event[];
  /** The view of the calendar, to return to. */
  view: string;
}>;

export const TurnList = ({ turns, names, zone, scheduleId, events, view }: TurnListProps) => (
  <Table
    label="Shifts"
    rows={turns.toSorted(
      (a, b) => a.layer - b.layer || Date.parse(a.start_time) - Date.parse(b.start_time),
    )}
    columns={[
      {
        title: "People",
        cell: (turn) => (
          <>
            <Everybody names={names} ids={turn.attendees.map(({ attendee_id }) => attendee_id)} />
            <Kind {...{ turn, names }} event={events.find(({ id }) => id === turn.event_id)} />
          </>
        ),
      },
      { title: "Step", cell: ({ layer }) => layer },
      { title: "Start", cell: ({ start_time }) => <DayAndClock at={start_time} zone={zone} /> },
      { title: "End", cell: ({ end_time }) => <DayAndClock at={end_time} zone={zone} /> },
      {
        title: "Change",
        kind: "actions",
        cell: ({ event_id, start_time }) => (
          <a
            href={`/events/${event_id}?at=${encodeURIComponent(start_time)}&schedule=${scheduleId}&view=${view}`}
          >
            Open
          </a>
        ),
      },
    ]}
    empty={<p class="soft">Nobody is on call in this period.</p>}
  />
);

const instantsOf = (gap: { readonly start_time: string; readonly end_time: string }) => ({
  from: Date.parse(gap.start_time),
  until: Date.parse(gap.end_time),
});

/** Why there are no gaps. */
function withoutGaps(share: number, hasShifts: boolean): string {
  if (!hasShifts) return "no shifts";
  if (share === 0) return "the first shift starts later";
  return share === 1 ? "none" : "none since the first shift";
}

type CoverageTablesProps = WithNames<{
  coverage: Coverage;
  events: readonly Event[];
  zone: string;
}>;

export const CoverageTables = ({ coverage, names, zone, events }: CoverageTablesProps) => (
  <>
    <Table
      label="Coverage of each step"
      rows={coverage.layers}
      columns={[
        { title: "Step", cell: ({ layer }) => `Step ${layer}` },
        { title: "Covered", cell: ({ share }) => percent(share) },
        {
          title: "Gaps",
          cell: ({ layer, share, has_shifts, gaps }) =>
            gaps.length === 0 ? (
              withoutGaps(share, has_shifts)
            ) : (
              <ul>
                {gaps.slice(0, 8).map((gap) => (
                  <li class="gap-text">
                    <Hours from={gap.start_time} until={gap.end_time} zone={zone} />:{" "}
                    {gapReason(instantsOf(gap), layer, events)}
                  </li>
                ))}
                {gaps.length > 8 ? <li class="gap-text">and {gaps.length - 8} more</li> : null}
              </ul>
            ),
        },
      ]}
      empty={<p class="soft">No steps yet.</p>}
    />
    <Table
      label="Hours on call of each person"
      numbers
      rows={coverage.people}
      columns={[
        { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
        { title: "Hours", kind: "number", cell: ({ hours }) => hours.toFixed(1) },
      ]}
      empty={<p class="soft">Nobody is on call in this period.</p>}
    />
  </>
);

/** `99.9 %`; rounded down, so that only full coverage is 100 %. */
const percent = (share: number) =>
  `${share === 1 || share === 0 ? share * 100 : (Math.floor(share * 1000) / 10).toFixed(1)} %`;
