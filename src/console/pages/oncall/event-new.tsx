// The form that adds a shift or a rotation to a schedule.
import type { Event } from "../../../contract/oncall/event.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { blankForm, bodyOf, sentForm } from "../../oncall/duty-form.ts";
import { listedZone } from "../../oncall/on-call-window.ts";
import { action, type ConsolePage, done, idOf, page, type Reply, type Visit } from "../../page.ts";
import { DUTY_PARAMETERS, DutyFields } from "../../parts/oncall/duty-fields.tsx";
import { Button, Form, FormFaults } from "../../parts/shared/form.tsx";
import { Heading, Panel } from "../../parts/shared/panel.tsx";
import { askAgain, statusAfter } from "../../shared/again.ts";
import { allOf } from "../../shared/api.ts";
import { readNames } from "../../shared/names.ts";

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
  const form = refusal ? sentForm(visit.form) : blankForm(query, zone, now);
  return {
    kind: "page",
    status: statusAfter(refusal),
    title: "Add shift",
    section: "schedules",
    body: (
      <div class="narrow">
        <Heading
          title="Add shift"
          back={{ to: `/schedules/${schedule.prefix_id}`, label: schedule.name }}
        />
        <Panel>
          <Form to={`${path}/events`} session={session} kind="fields">
            <FormFaults refusal={refusal} fields={DUTY_PARAMETERS} />
            <DutyFields form={form} refusal={refusal} names={names} />
            <Button>Add shift</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function create(visit: Visit): Promise<Reply> {
  const form = sentForm(visit.form);
  const body = { ...bodyOf(form), schedule_ids: [idOf(visit)] };
  const created = await visit.api.post("/events", body);
  if (isRefusal(created)) return askAgain(created, (refusal) => show(visit, refusal));
  return done(
    `${pathOf(visit)}?from=${form.start.slice(0, 10)}`,
    form.repeat && form.rotation ? "Rotation added." : "Shift added.",
  );
}

export const eventNewPages: readonly ConsolePage[] = [
  page("/schedules/:id/events/new", (visit) => show(visit)),
  action("/schedules/:id/events", create),
];
