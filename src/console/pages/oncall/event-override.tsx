// The form that overrides a shift or a part of it. Outside the override the shift's own people stay
// on call.

import type { Event } from "../../../contract/oncall/events/event.ts";
import type { EventOccurrence } from "../../../contract/oncall/events/event-occurrence.ts";
import { OverrideEvent } from "../../../contract/oncall/events/event-parameters.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { type DeclaredForm, declareForm, type FormState } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { atOf } from "../../oncall/event-form.ts";
import { exactInstant, wallOf } from "../../oncall/on-call-window.ts";
import type { Visit } from "../../page.ts";
import { action, type ConsolePage, idOf, page, type Reply } from "../../page.ts";
import { PeopleInTurn } from "../../parts/people/people-field.tsx";
import { Button } from "../../parts/shared/form.tsx";
import { Moment } from "../../parts/shared/moment.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { done, redisplayForm } from "../../shared/replies.ts";
import { listOf, textOf, textsOf } from "../../shared/values.ts";
import { backToSchedule, eventPath, Occurrence, OnCallFor, readShift } from "./event.tsx";

type Override = FormState & { readonly names: Names; readonly zone: string };

const People = ({ values, names, refusal }: Override) => (
  <PeopleInTurn
    names={names}
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
function initialHours({ form, query }: Visit, shift: EventOccurrence) {
  const instantIn = (name: string, current: string) => {
    const at = atOf(query.get(name) ?? textOf(form, name));
    return at === null ? current : formatInstant(at);
  };
  return {
    from: instantIn("from", shift.part_start_time),
    until: instantIn("until", shift.part_end_time),
  };
}

/** The form's values: the submitted ones, or the hours to override. */
function valuesOf(visit: Visit, event: Event, shift: EventOccurrence, refusal: Refusal | null) {
  if (refusal) return visit.form;
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

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { session, now } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift, names] = read;
  const at = Date.parse(shift.part_start_time);
  const { from, until } = initialHours(visit, shift);
  const values = valuesOf(visit, event, shift, refusal);
  const zone = session.timeZone;
  return formPage({
    section: "schedules",
    title: "Override shift",
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    lead: (
      <>
        Layer {event.layer}, shift <Moment at={at} zone={zone} now={now} /> –{" "}
        <Moment at={shift.part_end_time} zone={zone} now={now} />. On call:{" "}
        <OnCallFor shift={shift} names={names} />
      </>
    ),
    refusal,
    form: (
      <FieldsForm
        to={`${eventPath(visit)}/override`}
        session={session}
        form={FORM}
        state={{ values, refusal, names, zone }}
        hidden={
          <>
            <Occurrence visit={visit} at={at} />
            <input type="hidden" name="zone" value={zone} />
            <input type="hidden" name="from" value={from} />
            <input type="hidden" name="until" value={until} />
          </>
        }
      >
        <p class="help">Outside these hours, the people of the shift stay on call.</p>
        <div class="buttons">
          <Button>Add override</Button>
          <a class="button plain" href={backToSchedule(visit, at)}>
            Cancel
          </a>
        </div>
      </FieldsForm>
    ),
  });
}

async function override(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift] = read;
  const zone = textOf(form, "zone");
  const { from, until } = initialHours(visit, shift);
  const start = exactInstant(textOf(form, "start_time"), zone, from);
  const created = await api.post("/events/:id/override", {
    id: idOf(visit),
    start_time: start,
    end_time: exactInstant(textOf(form, "end_time"), zone, until),
    layer: textOf(form, "layer"),
    time_zone: event.time_zone,
    account_user_ids: textsOf(form, "account_user_ids"),
    action_time: shift.part_start_time,
  });
  if (isRefusal(created)) return redisplayForm(created, (refusal) => show(visit, refusal));
  return done(backToSchedule(visit, atOf(start)), "Override added.");
}

export const eventOverridePages: readonly ConsolePage[] = [
  page("/events/:id/override", (visit) => show(visit)),
  action("/events/:id/override", override),
];
