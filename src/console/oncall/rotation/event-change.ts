// The change that the edited form of an event means, whichever of the two forms it is: that of a
// rotation, or that of a shift.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Event, EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { fieldText, isTicked, type Values } from "../../../kernel/console/values.ts";
import { idOf, type Visit } from "../../page.ts";
import { readShift } from "../events/event.tsx";
import { changesOf, formOf } from "../events/event-form.ts";
import { EXTEND } from "../events/move-shift.ts";
import { callsFor, isOver } from "../past-shift.ts";
import { readPlan } from "./plan.ts";
import type { Planned } from "./plan-panel.tsx";
import {
  type EventChange,
  effectiveIn,
  instantOf,
  peopleIn,
  rotationChange,
} from "./rotation-change.ts";

/** An event that is edited: from one of its occurrences on, or, null, all of it. */
export type Edited = {
  readonly event: EventWithClockChanges;
  readonly following: EventOccurrence | null;
};

/** Whether a submitted form is that of a rotation. */
export const isRotationForm = (form: Values): boolean => form.handoff_time !== undefined;

export async function changeIn(
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
export const correctsPast = (visit: Visit, event: Event, change: EventChange): boolean =>
  (change.kind === "following" && change.correctsPast) ||
  (!event.repeat && isOver(visit, event.end_datetime));

/** What a form would do to who is on call. */
export async function planOfChange(
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
