// The form that adds a shift, which may repeat, to a schedule.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { Button } from "../../../kernel/console/form.tsx";
import { FormFields } from "../../../kernel/console/form-fields.tsx";
import { isPartial } from "../../../kernel/console/go-to.ts";
import { done, redisplayForm } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { fieldText, isTicked, textOf, type Values } from "../../../kernel/console/values.ts";
import { allOf } from "../../api.ts";
import { readNames } from "../../names.ts";
import { listedZone } from "../../oncall/on-call-window.ts";
import { withPositionEdit } from "../../oncall/rotation/positions.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../../page.ts";
import { editorPage, planPage } from "../rotation/editor-page.tsx";
import { membersOf, readPlan } from "../rotation/plan.ts";
import type { Planned } from "../rotation/plan-panel.tsx";
import { EVENT_FORM } from "./event-fields.tsx";
import { blankForm, bodyOf } from "./event-form.ts";

const pathOf = ({ params }: Visit) => `/schedules/${encodeURIComponent(params.id ?? "")}`;

/** The time zone of the schedule's newest event, or the viewer's. */
const zoneFor = (events: readonly Event[], own: string) => events[0]?.time_zone ?? listedZone(own);

type Shown = {
  readonly values: Values;
  readonly refusal: Refusal | null;
  readonly planned: Planned;
};

async function show(visit: Visit, shown: Shown | null = null): Promise<Reply> {
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
    session,
    to: `${path}/events`,
    draft,
    parameters: EVENT_FORM.parameters,
    refusal,
    fields: <FormFields form={EVENT_FORM} state={{ values, refusal, people, effect: null }} />,
    buttons: <Button>Add shift</Button>,
    planned: shown?.planned ?? null,
    names,
    zone: listedZone(fieldText(values, "time_zone")),
    now,
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
  if (!isPartial(visit.context)) return show(visit, { values, refusal: null, planned });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const zone = listedZone(fieldText(values, "time_zone"));
  return planPage({ planned, names, zone, now: visit.now });
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
    `${pathOf(visit)}?from=${fieldText(form, "start_datetime").slice(0, 10)}`,
    isTicked(form, "repeat") && isTicked(form, "rotation") ? "Rotation added." : "Shift added.",
  );
}

export const eventNewPages: readonly ConsolePage[] = [
  page("/schedules/:id/events/new", (visit) => show(visit)),
  action("/schedules/:id/events", create),
  action("/schedules/:id/events/draft", draft),
];
