// Who serves an event at an instant, what is planned to change, and what a form that shows the people
// of one instant means for another.

import type { Child } from "hono/jsx";
import type { Roster } from "../../../domain/oncall/on-call-event.ts";
import { rotationOf } from "../../../domain/oncall/recurrence/rotation.ts";
import { rosterOfPositions } from "../../../domain/oncall/rosters/roster-change.ts";
import { differenceOf } from "../../../domain/oncall/rosters/roster-difference.ts";
import type { EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import { ActionButton } from "../../../kernel/console/form.tsx";
import { DayAndClock } from "../../../kernel/console/moment.tsx";
import { Panel } from "../../../kernel/console/panel.tsx";
import { useViewer } from "../../../kernel/console/viewer.tsx";
import type { Names, WithNames, WithVisit } from "../../reads.ts";
import { namesText } from "./planned-shifts.ts";
import type { Positions } from "./positions.ts";

type Rostered = Pick<EventWithClockChanges, "rosters" | "positions" | "rotation" | "terminated_at">;

/** The field with the instant whose people a form shows. */
export const PEOPLE_AT = "people_at";

/** The field with the instant of a planned change. */
export const PLANNED_AT = "planned_at";

export type PlannedPeople = {
  /** ISO 8601. */
  readonly from: string;
  /** Ids of those who are in it and were not, and the reverse. */
  readonly joining: readonly string[];
  readonly leaving: readonly string[];
  readonly isRotation: boolean;
  readonly positions: Positions;
};

const rosterAt = ({ rosters }: Rostered, at: number) =>
  rosters.find(({ until }) => until === null || Date.parse(until) > at);

/** The people of an event who serve at an instant (epoch ms). */
export const peopleAt = (event: Rostered, at: number): Positions =>
  rosterAt(event, at)?.positions ?? event.positions;

/** The changes of the people that are planned, in order. `now` in epoch ms. */
export function plannedPeople(event: Rostered, now: number): readonly PlannedPeople[] {
  const end =
    event.terminated_at === null ? Number.POSITIVE_INFINITY : Date.parse(event.terminated_at);
  return event.rosters.flatMap(({ from, rotation, positions }, index): PlannedPeople[] => {
    if (from === null || Date.parse(from) <= now || Date.parse(from) >= end) return [];
    const [had, has] = [event.rosters[index - 1]?.positions.flat() ?? [], positions.flat()];
    const missing = (ids: readonly string[], others: readonly string[]) =>
      [...new Set(ids)].filter((id) => !others.includes(id));
    const [joining, leaving] = [missing(has, had), missing(had, has)];
    return [{ from, joining, leaving, isRotation: rotation, positions }];
  });
}

/** The change that takes a planned one back; null: it is not, or no longer, planned for `from`. */
export function withoutPlanned(event: Rostered, from: string, now: number) {
  const before = event.rosters.find(({ until }) => until === from);
  const isPlanned = plannedPeople(event, now).some((it) => it.from === from);
  if (!before || !isPlanned) return null;
  const { positions, rotation } = before;
  return { positions, rotation, effective_at: from };
}

/**
 * The people for an instant, from the people that a form shows of another one and what was made of
 * them.
 *
 * @param sent the people that were submitted
 * @param shownAt the instant (epoch ms) whose people the form showed
 * @param at when the change takes effect (epoch ms)
 * @returns null: the form does not change the people
 */
export function changedPeople(
  event: Rostered,
  sent: Positions,
  shownAt: number,
  at: number,
): Positions | null {
  const shown = peopleAt(event, shownAt);
  if (isSame(sent, shown)) return null;
  const there = peopleAt(event, at);
  if (isSame(there, shown)) return sent;
  const roster = (positions: Positions) => rosterOf(event, positions);
  const change = differenceOf(roster(shown), roster(sent), () => "");
  return rotationOf(change(roster(there))).map((people) => people.map((it) => it.attendeeId));
}

/** Whether two values are written in the same way. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const rosterOf = ({ rotation }: Rostered, positions: Positions): Roster =>
  rosterOfPositions(
    rotation,
    positions.map((people, position) =>
      people.map((id) => ({ id, attendeeId: id, attendeeType: "AccountUser", position })),
    ),
  );

// The changes of an event's people that are planned for later.

type Props = WithNames<{ event: EventWithClockChanges }>;

/** `Zoe joins, without Mia`; in another order, all of it. */
function changeText(
  { joining, leaving, isRotation, positions }: PlannedPeople,
  names: Names,
): string {
  const wording = { nameOf: names.of, timeOf: String };
  const texts = [
    ...(joining.length === 0
      ? []
      : [`${namesText(joining, wording)} ${joining.length > 1 ? "join" : "joins"}`]),
    ...(leaving.length === 0 ? [] : [`without ${namesText(leaving, wording)}`]),
  ];
  if (texts.length > 0) return texts.join(", ");
  const order = positions.map((people) => namesText(people, wording)).join(", ");
  return isRotation ? `in the order ${order}` : order;
}

type PlannedListProps = Props & { readonly actions?: (from: string) => Child };

const PlannedList = ({ event, names, actions }: PlannedListProps) => (
  <ul class="plan-words">
    {plannedPeople(event, useViewer().now).map((it) => (
      <li>
        From <DayAndClock at={it.from} zone={event.time_zone} />: {changeText(it, names)}
        {actions ? <> {actions(it.from)}</> : null}
      </li>
    ))}
  </ul>
);

type PlannedPanelProps = Props &
  WithVisit<{
    /** Whether the person may change the event. */
    may: boolean;
  }>;

/** On the page of the event. */
export const PlannedPanel = ({ visit, may, ...props }: PlannedPanelProps) =>
  plannedPeople(props.event, useViewer().now).length === 0 ? null : (
    <Panel title="Planned changes" id="planned">
      <PlannedList
        {...props}
        {...(may && {
          actions: (from: string) => (
            <ActionButton
              to={`${visit.url.pathname}/planned/remove`}
              label="Remove"
              fields={{ [PLANNED_AT]: from }}
            />
          ),
        })}
      />
      <p class="help">Times in {props.event.time_zone}.</p>
    </Panel>
  );

/** In a form of the event whose people are those of an instant (epoch ms). */
export const PlannedInForm = ({ shownAt, ...props }: Props & { readonly shownAt: string }) => (
  <>
    <input type="hidden" name={PEOPLE_AT} value={shownAt} />
    {plannedPeople(props.event, useViewer().now).length === 0 ? null : (
      <div id="planned">
        <h2>Planned changes</h2>
        <PlannedList {...props} />
        <p class="help">
          The people below are those of <DayAndClock at={shownAt} zone={props.event.time_zone} />.
          Who you add, remove or move is added, removed or moved in the planned changes, too.
        </p>
      </div>
    )}
  </>
);
