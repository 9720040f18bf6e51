// Edits an on-call event: from one of its shifts on, or all of it. A rotation has a form of its own; what a
// submitted form changes is calculated for both.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event, EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { Button } from "../../../kernel/console/form.tsx";
import { FormFields } from "../../../kernel/console/form-fields.tsx";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { LinkButton } from "../../../kernel/console/panel.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { fieldText, isTicked, textOf, type Values } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { listedZone } from "../on-call-window.ts";
import { draftPage, editorPage, type ShownAgain } from "../rotation/editor-page.tsx";
import { membersOf, readPlan } from "../rotation/plan.ts";
import type { Planned } from "../rotation/plan-panel.tsx";
import { PEOPLE_AT, PlannedInForm, peopleAt } from "../rotation/planned-people.tsx";
import { withPositionEdit } from "../rotation/positions.ts";
import {
  type EventChange,
  effectiveIn,
  instantOf,
  nextHandoffOf,
  peopleIn,
  rotationChange,
  shownPeopleAt,
} from "../rotation/rotation-change.ts";
import { ExtendField, ROTATION_PARAMETERS, RotationFields } from "../rotation/rotation-fields.tsx";
import { isRotation, rotationValues } from "../rotation/rotation-form.ts";
import { nounOf } from "../shift-kind.ts";
import { findShift, readShift } from "./event.tsx";
import { atIn, callsFor, changesOf, EXTEND, formOf, isOver } from "./event-form.ts";
import { EVENT_FORM } from "./event-new.tsx";
import { changeFollowingShifts } from "./following.tsx";
import { backToSchedule, eventPath, Occurrence, ShiftViews, shiftPath } from "./shift-views.tsx";

/** An event that is edited: from one of its occurrences on, or, null, all of it. */
type Edited = { readonly event: EventWithClockChanges; readonly following: EventOccurrence | null };

const isRotationForm = (form: Values): boolean => form.handoff_time !== undefined;

async function changeIn(
  visit: Visit,
  form: Values,
  { event, following }: Edited,
): Promise<EventChange | Refusal> {
  if (isRotationForm(form)) {
    return rotationChange(event, form, following && Date.parse(following.start_time), visit.now);
  }
  const effective_at = fieldText(form, "effective_at");
  const { now } = visit;
  const fromAt = following && Date.parse(following.start_time);
  const at = fromAt ?? instantOf(event, effective_at === "" ? "now" : effectiveIn(form), now);
  const people = peopleIn(event, form, { fromAt, at }, now);
  if (isRefusal(people)) return people;
  const { positions: _, ...rule } = changesOf(form, formOf(event, following, event.positions));
  const body = { ...rule, ...people };
  const names = Object.keys(body);
  if (names.length === 0) return { kind: "nothing" };
  if (following) return { kind: "following", from: following.start_time, body };
  const isOfPeople = event.repeat && Object.keys(rule).length === 0;
  if (isOfPeople && effective_at !== "") {
    const { positions } = people;
    return { kind: "update", body: { positions, effective_at: effectiveIn(form) } };
  }
  const { start_datetime: from, parent_id: parentId } = event;
  const isOfSeries = parentId === null && !isRefusal(await readShift(visit, Date.parse(from)));
  return isOfSeries ? { kind: "following", from, body } : { kind: "update", body };
}

/** Whether a change is to change who was on call before now, too. */
const correctsPast = (visit: Visit, event: Event, change: EventChange): boolean =>
  (change.kind === "following" && change.correctsPast) ||
  (!event.repeat && isOver(visit, event.end_datetime));

async function planOfChange(
  visit: Visit,
  { event }: Edited,
  change: EventChange,
): Promise<Planned> {
  const [scheduleId] = event.schedule_ids;
  if (scheduleId === undefined) return null;
  const id = idOf(visit);
  const layers = [event.layer];
  if (change.kind === "nothing") return readPlan(visit, scheduleId, layers, []);
  const calls = callsFor(visit, correctsPast(visit, event, change));
  const preview = await (change.kind === "update"
    ? calls.preview("PUT", "/events/:id", { ...change.body, id })
    : calls.preview("POST", "/events/:id/change_following", {
        ...change.body,
        ...(isTicked(visit.form, EXTEND) && { [EXTEND]: true }),
        action_time: change.from,
        id,
      }));
  return isRefusal(preview) ? preview : readPlan(visit, scheduleId, layers, [preview]);
}

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
  return findShift(visit, Date.parse(event.begins_at));
}

type EditedShift = Edited & { readonly shift: EventOccurrence | null };

async function readEdited(visit: Visit): Promise<EditedShift | Refusal> {
  const at = atIn(visit);
  const read = await allOf(
    visit.api.get("/events/:id", { id: idOf(visit) }),
    at === null ? Promise.resolve(null) : readShift(visit, at),
  );
  if (isRefusal(read)) return read;
  const [event, requested] = read;
  const shift = requested ?? (await readBeginning(visit, event));
  return { event, shift, following: followingOf(event, shift) };
}

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

export async function showEdit(visit: Visit, shown: ShownAgain | null = null): Promise<Reply> {
  const { api, now } = visit;
  const read = await allOf(readEdited(visit), readNames(api));
  if (isRefusal(read)) return read;
  const [edited, names] = read;
  const { event, shift, following } = edited;
  const values = shown?.values ?? initialValues(edited, now);
  const shownAt = fieldText(values, PEOPLE_AT) || formatInstant(shownAtOf(edited, now));
  const refusal = shown?.refusal ?? null;
  const hasRotationForm = isRotationForm(values);
  const [scheduleId = ""] = event.schedule_ids;
  const draft = `${eventPath(visit)}/draft`;
  const people = { ...{ names, draft }, members: membersOf(names, scheduleId) };
  const isOfAll = event.repeat && !following;
  const handoff = isOfAll ? nextHandoffOf(event, now) : null;
  const nextHandoff =
    handoff === null ? null : dayAndClockOf(formatInstant(handoff), event.time_zone, now);
  const effect = isOfAll ? { nextHandoff } : null;
  const state = { values, refusal, people, effect };
  const at = shift && Date.parse(shift.start_time);
  return editorPage({
    title: `Edit ${nounOf(event)}`,
    lead: following
      ? `Applies to this and all following ${hasRotationForm ? "turns" : "shifts"}, from ${dayAndClockOf(following.start_time, event.time_zone, now)} on. Earlier ones do not change.`
      : event.repeat && !hasRotationForm
        ? `Applies to all shifts of this ${nounOf(event)}.`
        : null,
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    above: <ShiftViews {...{ visit, event, at }} change="edit" />,
    to: eventPath(visit),
    draft,
    parameters: hasRotationForm ? ROTATION_PARAMETERS : EVENT_FORM.parameters,
    refusal,
    fields: (
      <>
        <Occurrence visit={visit} at={following ? at : null} />
        <PlannedInForm {...{ event, names, shownAt }} />
        {hasRotationForm ? (
          <RotationFields {...state} />
        ) : (
          <FormFields form={EVENT_FORM} state={state} />
        )}
        {hasRotationForm || following ? (
          <ExtendField of={state} what={hasRotationForm ? "turn" : "shift"} />
        ) : null}
      </>
    ),
    buttons: (
      <>
        <Button>Save changes</Button>
        {following && following.start_time !== event.begins_at ? (
          <LinkButton to={shiftPath(visit, null, "edit")}>
            Edit the whole {nounOf(event)}
          </LinkButton>
        ) : null}
      </>
    ),
    planned: shown?.planned ?? null,
    names,
    zone: listedZone(fieldText(values, "time_zone")),
  });
}

/** Redisplays the form after an operation on its people, and draws what it would do. */
async function draft(visit: Visit): Promise<Reply> {
  const edited = await readEdited(visit);
  if (isRefusal(edited)) return edited;
  const values = withPositionEdit(visit.form, textOf(visit.form, "edit"));
  const change = await changeIn(visit, values, edited);
  const planned = isRefusal(change) ? change : await planOfChange(visit, edited, change);
  const zone = listedZone(fieldText(values, "time_zone"));
  return draftPage(visit, { values, planned }, showEdit, { zone });
}

async function update(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const edited = await readEdited(visit);
  if (isRefusal(edited)) return edited;
  const { event, shift, following } = edited;
  const back = backToSchedule(visit, shift && Date.parse(shift.start_time));
  const again = (refusal: Refusal) => showEdit(visit, { values: form, refusal, planned: null });
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

export const eventEditActions: readonly ConsolePage[] = [
  action("/events/:id", update),
  action("/events/:id/draft", draft),
];
