// The form that adds a shift or a rotation to a schedule.
import type { Event } from "../../../contract/oncall/events/event.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { blankForm, bodyOf } from "../../oncall/event-form.ts";
import { listedZone } from "../../oncall/on-call-window.ts";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { EVENT_FORM } from "../../parts/oncall/event-fields.tsx";
import { Button } from "../../parts/shared/form.tsx";
import { allOf } from "../../shared/api.ts";
import { readNames } from "../../shared/names.ts";
import { done, redisplayForm } from "../../shared/replies.ts";
import { fieldText, isTicked } from "../../shared/values.ts";

const pathOf = ({ params }: Visit) => `/schedules/${encodeURIComponent(params.id ?? "")}`;

/** The time zone of the schedule's newest event, or the viewer's. */
const zoneFor = (events: readonly Event[], own: string) => events[0]?.time_zone ?? listedZone(own);

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, query, session, now } = visit;
  const path = pathOf(visit);
  const read = await allOf(
    api.get("/schedules/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/schedules/:id/events", { id: idOf(visit) }),
  );
  if (isRefusal(read)) return read;
  const [schedule, names, events] = read;
  const requested = query.get("zone");
  const zone = requested ? listedZone(requested) : zoneFor(events, session.timeZone);
  const values = refusal ? visit.form : blankForm(query, zone, now);
  return formPage({
    section: "schedules",
    title: "Add shift",
    back: { to: `/schedules/${schedule.prefix_id}`, label: schedule.name },
    refusal,
    form: (
      <FieldsForm
        to={`${path}/events`}
        session={session}
        form={EVENT_FORM}
        state={{ values, refusal, names }}
      >
        <Button>Add shift</Button>
      </FieldsForm>
    ),
  });
}

async function create(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const body = { ...bodyOf(form), schedule_ids: [idOf(visit)] };
  const created = await visit.api.post("/events", body);
  if (isRefusal(created)) return redisplayForm(created, (refusal) => show(visit, refusal));
  return done(
    `${pathOf(visit)}?from=${fieldText(form, "start_datetime").slice(0, 10)}`,
    isTicked(form, "repeat") && isTicked(form, "rotation") ? "Rotation added." : "Shift added.",
  );
}

export const eventNewPages: readonly ConsolePage[] = [
  page("/schedules/:id/events/new", (visit) => show(visit)),
  action("/schedules/:id/events", create),
];
