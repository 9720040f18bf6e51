// The form that overrides a shift or a part of it. Outside the override the shift's own people stay
// on call.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { OverrideEvent } from "../../../features/oncall/events/parameters.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { type DeclaredForm, declareForm } from "../../../kernel/console/declared-form.ts";
import { Button, type FormState, HiddenFields } from "../../../kernel/console/form.tsx";
import { FormFields } from "../../../kernel/console/form-fields.tsx";
import { Moment } from "../../../kernel/console/moment.tsx";
import { LinkButton } from "../../../kernel/console/panel.tsx";
import { PickMany } from "../../../kernel/console/pick-many.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { textOf, textsOf } from "../../../kernel/console/values.ts";
import { peopleChoices } from "../../choices.ts";
import { calendarTime, exactInstant, listedZone, wallOf } from "../../oncall/on-call-window.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allOf, type Names, readNames } from "../../reads.ts";
import { draftPage, editorPage } from "../rotation/editor-page.tsx";
import { readPlan } from "../rotation/plan.ts";
import type { Planned } from "../rotation/plan-panel.tsx";
import { OnCallFor, readShift } from "./event.tsx";
import { atIn, atOf, callsFor } from "./event-form.ts";
import { backToSchedule, eventPath, Occurrence, ShiftViews } from "./shift-views.tsx";

type Override = FormState & { readonly names: Names; readonly zone: string };

const People = (of: Override) => (
  <PickMany
    {...{ of, name: "account_user_ids", label: "On call instead", source: "people" }}
    choices={peopleChoices(of.names)}
    searchesFew
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
      { name: "layer", label: "Step", required: false },
    ],
  },
]);

/** The initial hours of the form. The past is overridden only if somebody selects or types it. */
type InitialHours = {
  readonly from: string;
  readonly until: string;
  /** When the form was shown with "now" as its start; empty: its start is another. */
  readonly shownAt: string;
  /** Whether the shift has ended, so that its hours must be typed. */
  readonly isPast: boolean;
};

/** The selected hours, or what is left of the part. */
function initialHours(visit: Visit, shift: EventOccurrence): InitialHours {
  const { form, query, session, now } = visit;
  const instantIn = (name: string) => {
    const at = calendarTime(query, name, session.timeZone) ?? atOf(textOf(form, name));
    return at === null ? null : formatInstant(at);
  };
  const [from, until] = [instantIn("from"), instantIn("until")];
  const isPast = Date.parse(shift.part_end_time) <= now;
  const isRunning = !isPast && Date.parse(shift.part_start_time) <= now;
  const shownAt = from === null && isRunning ? formatInstant(now) : textOf(form, "shown_at");
  return {
    from: from ?? (isRunning ? shownAt : shift.part_start_time),
    until: until ?? shift.part_end_time,
    shownAt,
    isPast: isPast && from === null,
  };
}

/** The form's values: the submitted ones, or the hours to override. */
function valuesOf(visit: Visit, event: Event, { from, until, isPast }: InitialHours) {
  if (visit.form.start_time !== undefined) return visit.form;
  const { timeZone } = visit.session;
  const fieldOf = (at: string) => (isPast ? "" : wallOf(Date.parse(at), timeZone));
  return { start_time: fieldOf(from), end_time: fieldOf(until), layer: event.layer };
}

async function readOverridden(visit: Visit) {
  return allOf(
    visit.api.get("/events/:id", { id: idOf(visit) }),
    readShift(visit, atIn(visit)),
    readNames(visit.api),
  );
}

export async function showOverride(
  visit: Visit,
  refusal: Refusal | null = null,
  planned: Planned = null,
): Promise<Reply> {
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift, names] = read;
  const at = Date.parse(shift.part_start_time);
  const hours = initialHours(visit, shift);
  const values = valuesOf(visit, event, hours);
  const zone = visit.session.timeZone;
  return editorPage({
    title: "Override shift",
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    lead: (
      <>
        Step {event.layer}, shift <Moment at={at} /> – <Moment at={shift.part_end_time} />. On call:{" "}
        <OnCallFor shift={shift} names={names} />
      </>
    ),
    above: <ShiftViews {...{ visit, event, at }} change="override" />,
    to: `${eventPath(visit)}/override`,
    draft: `${eventPath(visit)}/override/draft`,
    parameters: FORM.parameters,
    refusal,
    fields: (
      <>
        <Occurrence visit={visit} at={at} />
        <HiddenFields
          form={{ zone, from: hours.from, until: hours.until, shown_at: hours.shownAt }}
        />
        <FormFields form={FORM} state={{ values, refusal, names, zone }} />
        <p class="help">Outside these hours, the people of the shift stay on call.</p>
      </>
    ),
    buttons: (
      <>
        <Button>Add override</Button>
        <LinkButton to={backToSchedule(visit, at)}>Cancel</LinkButton>
      </>
    ),
    planned,
    names,
    zone: listedZone(zone),
  });
}

function bodyOf(visit: Visit, event: Event, shift: EventOccurrence) {
  const { form, now } = visit;
  const zone = textOf(form, "zone");
  const { from, until, shownAt } = initialHours(visit, shift);
  const start = exactInstant(textOf(form, "start_time"), zone, from);
  return {
    id: idOf(visit),
    // "Now" is when the form is submitted, not when it was shown.
    start_time: start === shownAt ? formatInstant(now) : start,
    end_time: exactInstant(textOf(form, "end_time"), zone, until),
    layer: textOf(form, "layer"),
    time_zone: event.time_zone,
    account_user_ids: textsOf(form, "account_user_ids"),
    action_time: shift.part_start_time,
  };
}

/** Hours of the past are there only if somebody selects or types them. */
const isCorrection = ({ now }: Visit, { start_time }: { readonly start_time: string }) =>
  Date.parse(start_time) < now;

async function draft(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift, _names] = read;
  const body = bodyOf(visit, event, shift);
  const [scheduleId = ""] = event.schedule_ids;
  const hasPeople = body.account_user_ids.some((id) => id !== "");
  const calls = callsFor(visit, isCorrection(visit, body));
  const preview = hasPeople ? await calls.preview("POST", "/events/:id/override", body) : null;
  const planned =
    preview && isRefusal(preview)
      ? preview
      : await readPlan(visit, scheduleId, [event.layer], preview ? [preview] : []);
  const zone = listedZone(textOf(form, "zone"));
  const show = () => showOverride(visit, null, planned);
  return draftPage(visit, { values: form, planned }, show, { zone });
}

async function override(visit: Visit): Promise<Reply> {
  const read = await readOverridden(visit);
  if (isRefusal(read)) return read;
  const [event, shift] = read;
  const body = bodyOf(visit, event, shift);
  const calls = callsFor(visit, isCorrection(visit, body));
  const created = await calls.post("/events/:id/override", body);
  if (isRefusal(created)) return redisplayForm(created, (refusal) => showOverride(visit, refusal));
  return done(backToSchedule(visit, atOf(body.start_time)), "Override added.");
}

export const eventOverrideActions: readonly ConsolePage[] = [
  action("/events/:id/override", override),
  action("/events/:id/override/draft", draft),
];
