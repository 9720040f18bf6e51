// The form that overrides a shift or a part of it. Outside the override the shift's own people stay
// on call.

import type { Event } from "../../../contract/oncall/events/event.ts";
import type { EventOccurrence } from "../../../contract/oncall/events/event-occurrence.ts";
import { OverrideEvent } from "../../../contract/oncall/events/event-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { type DeclaredForm, declareForm, type FormState } from "../../forms/declared-form.ts";
import { FormFields } from "../../forms/form-fields.tsx";
import { atOf } from "../../oncall/event-form.ts";
import { calendarTime, exactInstant, listedZone, wallOf } from "../../oncall/on-call-window.ts";
import type { Visit } from "../../page.ts";
import { action, type ConsolePage, idOf, page, type Reply } from "../../page.ts";
import { editorPage, planPage } from "../../parts/oncall/rotation/editor-page.tsx";
import type { Planned } from "../../parts/oncall/rotation/plan-panel.tsx";
import { PeopleInTurn } from "../../parts/people/people-field.tsx";
import { Button } from "../../parts/shared/form.tsx";
import { Moment } from "../../parts/shared/moment.tsx";
import { allOf } from "../../shared/api.ts";
import { isPartial } from "../../shared/go-to.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { done, redisplayForm } from "../../shared/replies.ts";
import { listOf, textOf, textsOf } from "../../shared/values.ts";
import { backToSchedule, eventPath, Occurrence, OnCallFor, readShift } from "./event.tsx";
import { readPlan } from "./rotation/plan.ts";

type Override = FormState & { readonly names: Names; readonly zone: string };

const People = ({ values, names, refusal }: Override) => (
  <PeopleInTurn
    names={names}
    values={values}
    ids={listOf(values, "account_user_ids")}
    label="On call instead"
    refusal={refusal}
  />
);

const FORM: DeclaredForm<Override> = declareForm(OverrideEvent, [
  { draw: People, parameters: ["account_user_ids"] },
  {
    fields: [
      {
        name: "start_time",
        label: "Start",
        type: "datetime-local",
        help: ({ zone }) => `Time zone: ${zone}.`,
      },
      { name: "end_time", label: "End", type: "datetime-local" },
      { name: "layer", label: "Layer", required: false },
    ],
  },
]);

/** The initial hours of the form: the selected ones, or the whole part. */
function initialHours({ form, query, session }: Visit, shift: EventOccurrence) {
  const instantIn = (name: string, current: string) => {
    const selected = calendarTime(query, name, session.timeZone);
    const at = selected ?? atOf(textOf(form, name));
    return at === null ? current : formatInstant(at);
  };
  return {
    from: instantIn("from", shift.part_start_time),
    until: instantIn("until", shift.part_end_time),
  };
}

/** The form's values: the submitted ones, or the hours to override. */
function valuesOf(visit: Visit, event: Event, shift: EventOccurrence) {
  if (visit.form.start_time !== undefined) return visit.form;
  const { from, until } = initialHours(visit, shift);
  const { timeZone } = visit.session;
  return {
    start_time: wallOf(Date.parse(from), timeZone),
    end_time: wallOf(Date.parse(until), timeZone),
    layer: event.layer,
  };
}

/** The event and the shift to override, named by the query string or the form. */
async function readOverridden(visit: Visit) {
  const at = atOf(visit.query.get("at") ?? textOf(visit.form, "at"));
  return allOf(
    visit.api.get("/events/:id", { id: idOf(visit) }),
    readShift(visit, at),
    readNames(visit.api),
  );
}

async function show(
  visit: Visit,
  refusal: Refusal | null = null,
  planned: Planned = null,
): Promise<Reply> {
  const { session, now } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift, names] = read;
  const at = Date.parse(shift.part_start_time);
  const { from, until } = initialHours(visit, shift);
  const values = valuesOf(visit, event, shift);
  const zone = session.timeZone;
  return editorPage({
    title: "Override shift",
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    lead: (
      <>
        Layer {event.layer}, shift <Moment at={at} zone={zone} now={now} /> –{" "}
        <Moment at={shift.part_end_time} zone={zone} now={now} />. On call:{" "}
        <OnCallFor shift={shift} names={names} />
      </>
    ),
    session,
    to: `${eventPath(visit)}/override`,
    draft: `${eventPath(visit)}/override/draft`,
    parameters: FORM.parameters,
    refusal,
    fields: (
      <>
        <Occurrence visit={visit} at={at} />
        <input type="hidden" name="zone" value={zone} />
        <input type="hidden" name="from" value={from} />
        <input type="hidden" name="until" value={until} />
        <FormFields form={FORM} state={{ values, refusal, names, zone }} />
        <p class="help">Outside these hours, the people of the shift stay on call.</p>
      </>
    ),
    buttons: (
      <>
        <Button>Add override</Button>
        <a class="button plain" href={backToSchedule(visit, at)}>
          Cancel
        </a>
      </>
    ),
    planned,
    names,
    zone: listedZone(zone),
    now,
  });
}

/** The parameters of the override that the form means. */
function bodyOf(visit: Visit, event: Event, shift: EventOccurrence) {
  const { form } = visit;
  const zone = textOf(form, "zone");
  const { from, until } = initialHours(visit, shift);
  return {
    id: idOf(visit),
    start_time: exactInstant(textOf(form, "start_time"), zone, from),
    end_time: exactInstant(textOf(form, "end_time"), zone, until),
    layer: textOf(form, "layer"),
    time_zone: event.time_zone,
    account_user_ids: textsOf(form, "account_user_ids"),
    action_time: shift.part_start_time,
  };
}

/** Draws what the override would do. */
async function draft(visit: Visit): Promise<Reply> {
  const { api, form, now } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift, names] = read;
  const body = bodyOf(visit, event, shift);
  const [scheduleId = ""] = event.schedule_ids;
  const hasPeople = body.account_user_ids.some((id) => id !== "");
  const preview = hasPeople ? await api.preview("POST", "/events/:id/override", body) : null;
  const planned =
    preview && isRefusal(preview)
      ? preview
      : await readPlan(visit, scheduleId, [event.layer], preview ? [preview] : []);
  if (!isPartial(visit.context)) return show(visit, null, planned);
  return planPage({ planned, names, zone: listedZone(textOf(form, "zone")), now });
}

async function override(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift] = read;
  const body = bodyOf(visit, event, shift);
  const created = await api.post("/events/:id/override", body);
  if (isRefusal(created)) return redisplayForm(created, (refusal) => show(visit, refusal));
  return done(backToSchedule(visit, atOf(body.start_time)), "Override added.");
}

export const eventOverridePages: readonly ConsolePage[] = [
  page("/events/:id/override", (visit) => show(visit)),
  action("/events/:id/override", override),
  action("/events/:id/override/draft", draft),
];
