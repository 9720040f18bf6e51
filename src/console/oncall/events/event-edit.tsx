// Edits an on-call event: from one of its shifts on, or all of it. A rotation has a form of its own.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { Button } from "../../../kernel/console/form.tsx";
import { FormFields } from "../../../kernel/console/form-fields.tsx";
import { isPartial } from "../../../kernel/console/go-to.ts";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { done, redisplayForm } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { fieldText, textOf, type Values } from "../../../kernel/console/values.ts";
import { allOf } from "../../api.ts";
import { readNames } from "../../names.ts";
import { listedZone } from "../../oncall/on-call-window.ts";
import { callsFor } from "../../oncall/past-shift.ts";
import { PEOPLE_AT, peopleAt } from "../../oncall/rotation/planned-people.ts";
import { withPositionEdit } from "../../oncall/rotation/positions.ts";
import { nextHandoffOf, shownPeopleAt } from "../../oncall/rotation/rotation-change.ts";
import { isRotation, rotationValues } from "../../oncall/rotation/rotation-form.ts";
import { nounOf } from "../../oncall/shift-kind.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../../page.ts";
import { PlannedInForm } from "../planned-people.tsx";
import { editorPage, planPage } from "../rotation/editor-page.tsx";
import {
  changeIn,
  correctsPast,
  type Edited,
  isRotationForm,
  planOfChange,
} from "../rotation/event-change.ts";
import { membersOf } from "../rotation/plan.ts";
import type { Planned } from "../rotation/plan-panel.tsx";
import { ExtendField } from "../rotation/rotation-fields.tsx";
import { ROTATION_PARAMETERS, RotationFields } from "../rotation/rotation-form-fields.tsx";
import { backToSchedule, eventPath, Occurrence, readShift } from "./event.tsx";
import { EVENT_FORM } from "./event-fields.tsx";
import { atOf, formOf } from "./event-form.ts";
import { changeFollowingShifts } from "./following.tsx";

const atFor = ({ query, form }: Visit) => atOf(query.get("at") ?? textOf(form, "at"));

/**
 * The shift from which on the event changes; null for all of the event. An event that continues
 * another one starts there, so it is always changed from one of its own shifts on.
 */
const followingOf = (event: Event, shift: EventOccurrence | null) =>
  event.repeat &&
  shift &&
  (event.begins_at !== null || Date.parse(shift.start_time) > Date.parse(event.start_datetime))
    ? shift
    : null;

/**
 * The first shift of an event that continues another one; null for other events, if it was removed,
 * and for a rotation, whose form says when it changes.
 */
async function readBeginning(visit: Visit, event: Event): Promise<EventOccurrence | null> {
  const hasRotationForm =
    visit.context.req.method === "GET" ? isRotation(event) : isRotationForm(visit.form);
  if (event.begins_at === null || hasRotationForm) return null;
  const shift = await readShift(visit, Date.parse(event.begins_at));
  return isRefusal(shift) ? null : shift;
}

type EditedShift = Edited & { readonly shift: EventOccurrence | null };

async function readEdited(visit: Visit): Promise<EditedShift | Refusal> {
  const at = atFor(visit);
  const read = await allOf(
    visit.api.get("/events/:id", { id: idOf(visit) }),
    at === null ? Promise.resolve(null) : readShift(visit, at),
  );
  if (isRefusal(read)) return read;
  const [event, requested] = read;
  const shift = requested ?? (await readBeginning(visit, event));
  return { event, shift, following: followingOf(event, shift) };
}

type Shown = {
  readonly values: Values;
  readonly refusal: Refusal | null;
  readonly planned: Planned;
};

/** The instant (epoch ms) whose people the form shows. */
const shownAtOf = ({ event, following }: Edited, now: number): number =>
  shownPeopleAt(event, following && Date.parse(following.start_time), now);

function initialValues(edited: Edited, now: number): Values {
  const { event, following } = edited;
  const people = peopleAt(event, shownAtOf(edited, now));
  return isRotation(event)
    ? rotationValues(event, Date.parse(following?.start_time ?? event.start_datetime), people)
    : formOf(event, following, people);
}

async function edit(visit: Visit, shown: Shown | null = null): Promise<Reply> {
  const { api, session, now } = visit;
  const read = await allOf(readEdited(visit), readNames(api));
  if (isRefusal(read)) return read;
  const [edited, names] = read;
  const { event, shift, following } = edited;
  const values = shown?.values ?? initialValues(edited, now);
  const shownAt = fieldText(values, PEOPLE_AT) || formatInstant(shownAtOf(edited, now));
  const refusal = shown?.refusal ?? null;
  const hasRotationForm = isRotationForm(values);
  const schedule = visit.query.get("schedule") ?? textOf(visit.form, "schedule");
  const [scheduleId = ""] = event.schedule_ids;
  const draft = `${eventPath(visit)}/draft`;
  const people = {
    ...{ names, draft },
    members: membersOf(names, scheduleId),
  };
  const handoff = event.repeat && !following ? nextHandoffOf(event, now) : null;
  const nextHandoff =
    handoff === null ? null : dayAndClockOf(formatInstant(handoff), event.time_zone, now);
  const effect = event.repeat && !following ? { nextHandoff } : null;
  const state = { values, refusal, people, effect };
  const at = shift && Date.parse(shift.start_time);
  return editorPage({
    title: `Edit ${nounOf(event)}`,
    lead: following
      ? `Applies to this and all following ${hasRotationForm ? "turns" : "shifts"}, from ${dayAndClockOf(following.start_time, event.time_zone, now)} on. Earlier ones do not change.`
      : hasRotationForm
        ? null
        : event.repeat
          ? `Applies to all shifts of this ${nounOf(event)}.`
          : null,
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    session,
    to: eventPath(visit),
    draft,
    parameters: hasRotationForm ? ROTATION_PARAMETERS : EVENT_FORM.parameters,
    refusal,
    fields: (
      <>
        <Occurrence visit={visit} at={following ? at : null} />
        <PlannedInForm {...{ event, names, now, shownAt }} />
        {hasRotationForm ? (
          <RotationFields state={state} />
        ) : (
          <FormFields form={EVENT_FORM} state={state} />
        )}
        {hasRotationForm || following ? (
          <ExtendField values={values} what={hasRotationForm ? "turn" : "shift"} />
        ) : null}
      </>
    ),
    buttons: (
      <>
        <Button>Save changes</Button>
        {following && following.start_time !== event.begins_at ? (
          <a class="button plain" href={`${eventPath(visit)}/edit?schedule=${schedule}`}>
            Edit the whole {nounOf(event)}
          </a>
        ) : null}
      </>
    ),
    planned: shown?.planned ?? null,
    names,
    zone: listedZone(fieldText(values, "time_zone")),
    now,
  });
}

/** Redisplays the form after an operation on its people, and draws what it would do. */
async function draft(visit: Visit): Promise<Reply> {
  const edited = await readEdited(visit);
  if (isRefusal(edited)) return edited;
  const values = withPositionEdit(visit.form, textOf(visit.form, "edit"));
  const change = await changeIn(visit, values, edited);
  const planned = isRefusal(change) ? change : await planOfChange(visit, edited, change);
  if (!isPartial(visit.context)) return edit(visit, { values, refusal: null, planned });
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const zone = listedZone(fieldText(values, "time_zone"));
  return planPage({ planned, names, zone, now: visit.now });
}

async function update(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const edited = await readEdited(visit);
  if (isRefusal(edited)) return edited;
  const { event, shift, following } = edited;
  const back = backToSchedule(visit, shift && Date.parse(shift.start_time));
  const again = (refusal: Refusal) => edit(visit, { values: form, refusal, planned: null });
  const change = await changeIn(visit, form, edited);
  if (isRefusal(change)) return redisplayForm(change, again);
  const isCorrection = correctsPast(visit, event, change);
  switch (change.kind) {
    case "nothing":
      return done(back, NOTHING_CHANGED);
    case "update": {
      const calls = callsFor(visit, isCorrection);
      const changed = await calls.put("/events/:id", { ...change.body, id: idOf(visit) });
      return isRefusal(changed) ? redisplayForm(changed, again) : done(back, "Changes saved.");
    }
    case "following":
      return changeFollowingShifts(visit, event, {
        change: { action_time: change.from, body: change.body },
        isCorrection,
        isFollowing: following !== null || change.from !== event.start_datetime,
        back,
        flash: "Changes saved.",
        again,
      });
  }
}

export const eventEditPages: readonly ConsolePage[] = [
  page("/events/:id/edit", (visit) => edit(visit)),
  action("/events/:id", update),
  action("/events/:id/draft", draft),
];
