// The changes of an event's people that are planned for later.

import type { Child } from "hono/jsx";
import type { EventWithClockChanges } from "../../features/oncall/events/contract.ts";
import { ActionButton } from "../../kernel/console/form.tsx";
import { DayAndClock } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { Names, WithNames, WithVisit } from "../reads.ts";
import { namesText } from "./rotation/plan-words.ts";
import {
  PEOPLE_AT,
  PLANNED_AT,
  type PlannedPeople,
  plannedPeople,
} from "./rotation/planned-people.ts";

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
