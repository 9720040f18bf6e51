// The form of an on-call event (when, how often, on which layer, who), and the page that adds one.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { CreateEvent } from "../../../features/oncall/events/parameters.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { Button } from "../../../kernel/console/form.tsx";
import { FormFields } from "../../../kernel/console/form-fields.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { fieldText, isTicked, textOf, type Values } from "../../../kernel/console/values.ts";
import { asChoices } from "../../choices.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { listedZone } from "../on-call-window.ts";
import { draftPage, editorPage, type ShownAgain } from "../rotation/editor-page.tsx";
import { DayBoxes } from "../rotation/hours-fields.tsx";
import { membersOf, readPlan } from "../rotation/plan.ts";
import type { Planned } from "../rotation/plan-panel.tsx";
import { withPositionEdit } from "../rotation/positions.ts";
import { PositionsField } from "../rotation/positions-field.tsx";
import { EffectFields, type EventFormState } from "../rotation/rotation-fields.tsx";
import { WEEKDAYS } from "../weekdays.ts";
import { blankForm, bodyOf } from "./event-form.ts";

/** The time zone of the schedule's newest event, or the viewer's. */
const zoneFor = (events: readonly Event[], own: string) => events[0]?.time_zone ?? listedZone(own);

async function show(visit: Visit, shown: ShownAgain | null = null): Promise<Reply> {
  const { api, query, session, now } = visit;
  const path = pathOf("/schedules", visit);
  const read = await allOf(
    api.get("/schedules/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/schedules/:id/events", { id: idOf(visit) }),
  );
  if (isRefusal(read)) return read;
  const [schedule, names, events] = read;
  const requested = query.get("zone");
  const zone = requested ? listedZone(requested) : zoneFor(events, session.timeZone);
  const values = shown?.values ?? blankForm(query, zone, now);
  const refusal = shown?.refusal ?? null;
  const draft = `${path}/events/draft`;
  const members = membersOf(names, schedule.id);
  const people = { names, draft, members };
  return editorPage({
    title: "Add shift",
    lead: (
      <>
        For people who take turns without a break,{" "}
        <a href={`${path}/rotations/new`}>add a rotation</a>.
      </>
    ),
    back: { to: `/schedules/${schedule.prefix_id}`, label: schedule.name },
    to: `${path}/events`,
    draft,
    parameters: EVENT_FORM.parameters,
    refusal,
    fields: <FormFields form={EVENT_FORM} state={{ values, refusal, people, effect: null }} />,
    buttons: <Button>Add shift</Button>,
    planned: shown?.planned ?? null,
    names,
    zone: listedZone(fieldText(values, "time_zone")),
  });
}

async function plan(visit: Visit, values: Values): Promise<Planned> {
  const { api } = visit;
  const schedule = await api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return schedule;
  const body = bodyOf(values);
  if (body.positions.length === 0) return readPlan(visit, schedule.id, [], []);
  const preview = await api.preview("POST", "/events", { ...body, schedule_ids: [schedule.id] });
  if (isRefusal(preview)) return preview;
  return readPlan(visit, schedule.id, [Number(body.layer)], [preview]);
}

/** Redisplays the form after an operation on its people, and draws what it would do. */
async function draft(visit: Visit): Promise<Reply> {
  const values = withPositionEdit(visit.form, textOf(visit.form, "edit"));
  const planned = await plan(visit, values);
  const zone = listedZone(fieldText(values, "time_zone"));
  return draftPage(visit, { values, planned }, show, { zone });
}

async function create(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const body = { ...bodyOf(form), schedule_ids: [idOf(visit)] };
  const created = await visit.api.post("/events", body);
  if (isRefusal(created)) {
    return redisplayForm(created, (refusal) =>
      show(visit, { values: form, refusal, planned: null }),
    );
  }
  return done(
    `${pathOf("/schedules", visit)}?from=${fieldText(form, "start_datetime").slice(0, 10)}`,
    isTicked(form, "repeat") && isTicked(form, "rotation") ? "Rotation added." : "Shift added.",
  );
}

export const eventNewPages: readonly ConsolePage[] = [
  page("/schedules/:id/events/new", (visit) => show(visit)),
  action("/schedules/:id/events", create),
  action("/schedules/:id/events/draft", draft),
];

const UNITS = {
  hourly: "hour(s)",
  daily: "day(s)",
  weekly: "week(s)",
  monthly: "month(s)",
  yearly: "year(s)",
};

const People = ({ values, people, refusal }: EventFormState) => (
  <PositionsField {...people} values={values} refusal={refusal} />
);

const Effect = ({ values, refusal, effect }: EventFormState) =>
  effect && (
    <EffectFields
      {...{ values, refusal, ...effect }}
      help="Of a change of the people, which leaves who was on call. Other changes apply to all shifts."
    />
  );

const Days = ({ values }: EventFormState) => (
  <fieldset class="days">
    <legend>Days (daily and weekly repeats only; none selected means all)</legend>
    <DayBoxes name="days_of_week" days={[...WEEKDAYS.keys()]} values={values} />
  </fieldset>
);

export const EVENT_FORM: DeclaredForm<EventFormState> = declareForm(CreateEvent, [
  {
    fields: [
      { name: "start_datetime", label: "Start" },
      { name: "end_datetime", label: "End" },
      { name: "time_zone", label: "Time zone", choices: asChoices(TIME_ZONE_NAMES) },
    ],
  },
  {
    name: "layer",
    label: "Step",
    help: "Step 1 is notified first. The team's escalation policy decides when the next one is.",
  },
  { draw: People, parameters: ["account_user_ids", "positions"] },
  {
    legend: "Repeats",
    fields: [
      { name: "repeat", label: "Repeats" },
      {
        fields: [
          { name: "frequency", label: "Every" },
          { name: "frequency_unit", label: "Unit", choiceLabels: UNITS },
          {
            name: "repeat_end_datetime",
            label: "Last day",
            type: "date",
            help: "If empty, the shift repeats without end.",
          },
        ],
      },
      { draw: Days },
      {
        name: "rotation",
        label: "Rotation",
        help: "One position per repeat is on call, in the order above. Without rotation, all are on call together.",
      },
    ],
  },
  { draw: Effect, parameters: ["effective_at"] },
]);
