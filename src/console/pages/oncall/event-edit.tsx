// Edits an on-call event: from one of its shifts on, or all of it.
import type { Event } from "../../../contract/oncall/events/event.ts";
import type { EventOccurrence } from "../../../contract/oncall/events/event-occurrence.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { formPage } from "../../forms/form-page.tsx";
import { atOf, changesOf, formOf } from "../../oncall/event-form.ts";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { EVENT_FORM } from "../../parts/oncall/event-fields.tsx";
import { Button } from "../../parts/shared/form.tsx";
import { allOf } from "../../shared/api.ts";
import { NOTHING_CHANGED } from "../../shared/changed.ts";
import { readNames } from "../../shared/names.ts";
import { done, redisplayForm } from "../../shared/replies.ts";
import { textOf } from "../../shared/values.ts";
import { backToSchedule, eventPath, Occurrence, readShift } from "./event.tsx";
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
 * The first shift of an event that continues another one; null for other events, and if it was
 * removed.
 */
async function readBeginning(visit: Visit, event: Event): Promise<EventOccurrence | null> {
  if (event.begins_at === null) return null;
  const shift = await readShift(visit, Date.parse(event.begins_at));
  return isRefusal(shift) ? null : shift;
}

async function readEdited(
  visit: Visit,
): Promise<readonly [Event, EventOccurrence | null] | Refusal> {
  const at = atFor(visit);
  const read = await allOf(
    visit.api.get("/events/:id", { id: idOf(visit) }),
    at === null ? Promise.resolve(null) : readShift(visit, at),
  );
  if (isRefusal(read)) return read;
  const [event, shift] = read;
  return [event, shift ?? (await readBeginning(visit, event))];
}

async function edit(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(readEdited(visit), readNames(api));
  if (isRefusal(read)) return read;
  const [[event, shift], names] = read;
  const following = followingOf(event, shift);
  const at = shift && Date.parse(shift.start_time);
  const values = refusal ? visit.form : formOf(event, following);
  const schedule = visit.query.get("schedule") ?? textOf(visit.form, "schedule");
  return formPage({
    section: "schedules",
    title: "Edit shifts",
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    lead: following
      ? "Applies to this and all following shifts. Earlier shifts do not change."
      : "Applies to all shifts of this event.",
    refusal,
    form: (
      <FieldsForm
        to={eventPath(visit)}
        session={session}
        form={EVENT_FORM}
        state={{ values, refusal, names }}
        hidden={<Occurrence visit={visit} at={following ? at : null} />}
      >
        <div class="buttons">
          <Button>Save changes</Button>
          {following && following.start_time !== event.begins_at ? (
            <a class="button plain" href={`${eventPath(visit)}/edit?schedule=${schedule}`}>
              Edit all shifts
            </a>
          ) : null}
        </div>
      </FieldsForm>
    ),
  });
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const read = await readEdited(visit);
  if (isRefusal(read)) return read;
  const [event, shift] = read;
  const following = followingOf(event, shift);
  const body = changesOf(form, formOf(event, following));
  const back = backToSchedule(visit, shift && Date.parse(shift.start_time));
  const again = (refusal: Refusal) => edit(visit, refusal);
  if (Object.keys(body).length === 0) return done(back, NOTHING_CHANGED);
  const start = following?.start_time ?? event.start_datetime;
  if (
    following ||
    (event.parent_id === null && !isRefusal(await readShift(visit, Date.parse(start))))
  ) {
    const change = { action_time: start, body };
    const isFollowing = following !== null;
    return changeFollowingShifts(visit, event, {
      change,
      isFollowing,
      back,
      flash: "Changes saved.",
      again,
    });
  }
  const changed = await api.put("/events/:id", { ...body, id: idOf(visit) });
  return isRefusal(changed) ? redisplayForm(changed, again) : done(back, "Changes saved.");
}

export const eventEditPages: readonly ConsolePage[] = [
  page("/events/:id/edit", (visit) => edit(visit)),
  action("/events/:id", update),
];
