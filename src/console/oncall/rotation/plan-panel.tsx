// The next six weeks beside the form that changes them: in words, drawn, and as a list.
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { dateOf, dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { Panel } from "../../../kernel/console/panel.tsx";
import { refusalText } from "../../../kernel/console/reply.ts";
import { Table } from "../../../kernel/console/table.tsx";
import { useViewer } from "../../../kernel/console/viewer.tsx";
import { Who, withColours } from "../../people/person-panels.tsx";
import type { Names, WithNames } from "../../reads.ts";
import { PlanPicture } from "./plan-picture.tsx";
import {
  changeText,
  doubleText,
  gapsOf,
  gapText,
  isLater,
  layerText,
  namesText,
  type PlannedHours,
  type RotationPlan,
  replacements,
  spanText,
  type Wording,
} from "./planned-shifts.ts";

const hoursText = (hours: number): string => hours.toFixed(1);

type PlanHoursProps = WithNames<{ hours: PlannedHours; zone: string }>;

const PlanHours = ({ hours: { from, to, people }, names, zone }: PlanHoursProps) => {
  const { now } = useViewer();
  return people.length === 0 ? null : (
    <>
      <h3>
        Hours on call, {dateOf(from, zone, now)} – {dateOf(to, zone, now)}
      </h3>
      <Table
        label="Hours on call of each person"
        numbers
        rows={people}
        columns={[
          { title: "Person", cell: ({ id }) => <Who names={names} id={id} /> },
          { title: "Now", kind: "number", cell: ({ before }) => hoursText(before) },
          {
            title: "Then",
            kind: "number",
            cell: ({ before, after }) =>
              hoursText(after) === hoursText(before) ? (
                hoursText(after)
              ) : (
                <strong>{hoursText(after)}</strong>
              ),
          },
        ]}
      />
    </>
  );
};

/** What a form would do: the plan, or why there is none. */
export type Planned = RotationPlan | Refusal | null;

/** What a form means, beside the plan; a gap is red. */
export type PlanNote = { readonly text: string; readonly isGap?: boolean };

/** Changes that are listed one by one. */
const MOST_CHANGES = 6;

/** People of whom it is said that they are on call on several steps at once. */
const MOST_DOUBLES = 3;

type PlanProps = { readonly plan: RotationPlan; readonly names: Names; readonly zone: string };

const useWording = ({ names, zone }: Omit<PlanProps, "plan">): Wording => {
  const { now } = useViewer();
  return { nameOf: names.of, timeOf: (at) => dayAndClockOf(new Date(at).toISOString(), zone, now) };
};

const Words = (props: PlanProps) => {
  const { plan } = props;
  const wording = useWording(props);
  const doubles = Object.values(Object.groupBy(plan.doubles, ({ person }) => person));
  return (
    <ul class="plan-words">
      {plan.layers.map((layer) => {
        const gap = gapText(layer, wording);
        return (
          <li>
            {plan.layers.length > 1 ? <strong>Step {layer.layer}: </strong> : null}
            {layerText(layer, plan.to, wording, isLater(plan, useViewer().now))}
            {gap === null || gapsOf(layer).length === layer.shifts.length ? null : (
              <span class="gap-text"> {gap}</span>
            )}
          </li>
        );
      })}
      {doubles.slice(0, MOST_DOUBLES).map((of = []) => (
        <li>{doubleText(of, plan.to, wording)}</li>
      ))}
    </ul>
  );
};

const Changes = (props: PlanProps) => {
  const changes = replacements(props.plan);
  const wording = useWording(props);
  const { now } = useViewer();
  if (changes.length === 0) return null;
  const hasPast = changes.some(({ from }) => from < now);
  return (
    <>
      <h3>Changes against today</h3>
      {hasPast ? <p class="gap-text">This changes who was on call in the past.</p> : null}
      <ul class="plan-words">
        {changes.slice(0, MOST_CHANGES).map((it) => (
          <li class={it.people.length === 0 ? "gap-text" : undefined}>
            {props.plan.layers.length > 1 ? `Step ${it.layer}, ` : ""}
            {changeText(it, props.plan.to, wording)}
          </li>
        ))}
        {changes.length > MOST_CHANGES ? (
          <li>and {changes.length - MOST_CHANGES} more, underlined in the picture</li>
        ) : null}
      </ul>
    </>
  );
};

const Legend = ({ plan, names }: PlanProps) => {
  const people = new Set(plan.layers.flatMap(({ shifts }) => shifts.flatMap((it) => it.people)));
  return (
    <p class="legend">
      {[...people].map((id) => (
        <span data-person={id}>
          <Who names={names} id={id} />
        </span>
      ))}
    </p>
  );
};

const ShiftList = (props: PlanProps) => {
  const wording = useWording(props);
  return (
    <details>
      <summary>As a list</summary>
      {props.plan.layers.map(({ layer, shifts }) => (
        <>
          <h3>Step {layer}</h3>
          <ul class="plan-words">
            {shifts.map(({ from, until, people }) => (
              <li class={people.length === 0 ? "gap-text" : undefined}>
                {spanText({ from, until }, props.plan.to, wording)}: {namesText(people, wording)}
              </li>
            ))}
          </ul>
        </>
      ))}
    </details>
  );
};

const WEEKS = 6;

/** `The next six weeks`, or more; or the six around changes that are later. */
function usePlanTitle({ plan, zone }: Omit<PlanProps, "names">): string {
  const { now } = useViewer();
  const weeks = Math.round((plan.to - plan.from) / (7 * DAY));
  if (isLater(plan, now)) {
    return `Six weeks from ${dayAndClockOf(new Date(plan.from).toISOString(), zone, now)}`;
  }
  return weeks > WEEKS ? `The next ${weeks} weeks` : "The next six weeks";
}

/** Who would be on call: words, picture and list. */
const PlanView = (shown: PlanProps) => {
  const people = shown.plan.layers.map(({ shifts }) => shifts.flatMap((it) => it.people));
  const props = { ...shown, names: withColours(shown.names, people) };
  const wording = useWording(props);
  const { layers, to } = props.plan;
  const later = isLater(props.plan, useViewer().now);
  const label = layers.map((it) => layerText(it, to, wording, later)).join(" ");
  return (
    <>
      <Words {...props} />
      <div class="plan-scroll" tabindex={0}>
        <PlanPicture {...props} label={`${usePlanTitle(props)}. ${label}`} />
      </div>
      <Legend {...props} />
      <Changes {...props} />
      {props.plan.hours ? <PlanHours {...props} hours={props.plan.hours} /> : null}
      <ShiftList {...props} />
      <p class="help">Times in {props.zone}.</p>
    </>
  );
};

/** The same below a title; `name` says whose it is. */
export const TitledPlan = ({ name, ...plan }: PlanProps & { readonly name?: string }) => (
  <>
    {name === undefined ? (
      <h2>{usePlanTitle(plan)}</h2>
    ) : (
      <h3>
        {name}. {usePlanTitle(plan)}
      </h3>
    )}
    <PlanView {...plan} />
  </>
);

type PlanPanelProps = Omit<PlanProps, "plan"> & {
  readonly planned: Planned;
  /** What else the form means, in words. */
  readonly notes?: readonly PlanNote[];
};

/** The panel that is drawn again while somebody types. */
export const PlanPanel = ({ planned, notes = [], ...props }: PlanPanelProps) => (
  <div id="plan">
    <Panel
      title={
        planned !== null && "layers" in planned
          ? usePlanTitle({ plan: planned, ...props })
          : "The next six weeks"
      }
    >
      {notes.length === 0 ? null : (
        <ul class="plan-words">
          {notes.map(({ text, isGap }) => (
            <li class={isGap ? "gap-text" : undefined}>{text}</li>
          ))}
        </ul>
      )}
      {planned === null || ("layers" in planned && planned.layers.length === 0) ? (
        <p class="soft">The preview shows who would be on call.</p>
      ) : "layers" in planned ? (
        <PlanView plan={planned} {...props} />
      ) : (
        <p class="soft">{refusalText(planned)}</p>
      )}
    </Panel>
  </div>
);
