// Moves a dragged shift: this one, this and the following, or all of them.
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { NOTHING_CHANGED } from "../../../kernel/console/changed.ts";
import { Button, Form, FormFaults, TextField } from "../../../kernel/console/form.tsx";
import { formPage } from "../../../kernel/console/form-page.tsx";
import { Moment } from "../../../kernel/console/moment.tsx";
import { LinkButton } from "../../../kernel/console/panel.tsx";
import { done, type Reply, redisplayForm } from "../../../kernel/console/reply.ts";
import { textOf } from "../../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import { allByName, allOf, readNames } from "../../reads.ts";
import { calendarTime, exactInstant, wallOf } from "../on-call-window.ts";
import { ExtendField } from "../rotation/rotation-fields.tsx";
import { askBeforeEventChange } from "./confirmation.tsx";
import { findShift, readShift } from "./event.tsx";
import {
  atIn,
  atOf,
  callsFor,
  isOver,
  type Move,
  movedFrom,
  movedPart,
  type Scope,
} from "./event-form.ts";
import { changeFollowingShifts } from "./following.tsx";
import { isSplit } from "./removal.tsx";
import { backToSchedule, eventPath, Occurrence, ShiftViews } from "./shift-views.tsx";

/** The new hours of a shift: the submitted ones, those in the query string, or the current ones. */
function initialHours({ query, form, session }: Visit, occurrence: EventOccurrence) {
  const zone = session.timeZone;
  const { part_start_time, part_end_time } = occurrence;
  const requestedTime = (name: string, current: string) =>
    textOf(form, name) || wallOf(calendarTime(query, name, zone) ?? Date.parse(current), zone);
  const start = requestedTime("start", part_start_time);
  return { start, end: requestedTime("end", part_end_time), zone };
}

const SCOPES: readonly { readonly scope: Scope; readonly label: string }[] = [
  { scope: "one", label: "Move this shift" },
  { scope: "following", label: "Move this and following shifts" },
  { scope: "all", label: "Move all shifts" },
];

function scopesOf(event: Event, occurrence: EventOccurrence) {
  if (event.repeat) return SCOPES;
  const scope: Scope = isSplit(occurrence) ? "one" : "all";
  return [{ scope, label: "Move shift" }];
}

const readMoved = (visit: Visit) =>
  allOf(visit.api.get("/events/:id", { id: idOf(visit) }), readShift(visit, atIn(visit)));

export async function showMove(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { form } = visit;
  const read = await readMoved(visit);
  if (isRefusal(read)) return read;
  const [event, occurrence] = read;
  const at = Date.parse(occurrence.part_start_time);
  const { start, end, zone } = initialHours(visit, occurrence);
  const fields = { type: "datetime-local", refusal, required: true };
  return formPage({
    title: "Move shift",
    back: { to: backToSchedule(visit, at), label: "Calendar" },
    lead: (
      <>
        Shift: <Moment at={at} /> – <Moment at={occurrence.part_end_time} />. All times in {zone}.
      </>
    ),
    refusal,
    above: <ShiftViews {...{ visit, event, at }} change="move" />,
    form: (
      <Form to={`${eventPath(visit)}/move`} kind="fields">
        <FormFaults refusal={refusal} fields={["start_datetime", "end_datetime"]} />
        <Occurrence visit={visit} at={at} />
        <div class="side-by-side">
          <TextField
            {...fields}
            name="start"
            parameter="start_datetime"
            label="Start"
            value={start}
          />
          <TextField {...fields} name="end" parameter="end_datetime" label="End" value={end} />
        </div>
        {event.repeat ? <ExtendField of={{ values: form, refusal }} what="shift" /> : null}
        <div class="buttons">
          {scopesOf(event, occurrence).map(({ scope, label }, place) => (
            <Button tone={place === 0 ? "primary" : "plain"} name="scope" value={scope}>
              {label}
            </Button>
          ))}
          <LinkButton to={backToSchedule(visit, at)}>Cancel</LinkButton>
        </div>
      </Form>
    ),
  });
}

const NOT_A_TIME = refuse("invalid", "start_datetime must be a date and time", "start_datetime");
const MOVED = "Shift moved.";

/** The requested hours; an unchanged field means exactly the stored instant. */
function requestedHours({ form, session }: Visit, occurrence: EventOccurrence) {
  const zone = session.timeZone;
  const start = exactInstant(textOf(form, "start"), zone, occurrence.part_start_time);
  const end = exactInstant(textOf(form, "end"), zone, occurrence.part_end_time);
  return { start: atOf(start), end: atOf(end) };
}

async function move(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const read = await readMoved(visit);
  if (isRefusal(read)) return read;
  const [event, occurrence] = read;
  const { start, end } = requestedHours(visit, occurrence);
  if (start === null || end === null) return showMove(visit, NOT_A_TIME);
  const back = backToSchedule(visit, start);
  const isUnchanged =
    start === Date.parse(occurrence.part_start_time) &&
    end === Date.parse(occurrence.part_end_time);
  if (isUnchanged) return done(back, NOTHING_CHANGED);
  const again = (refusal: Refusal) => showMove(visit, refusal);
  const requestedMove = { occurrence, start, end };
  const requestedScope = SCOPES.find((it) => it.scope === textOf(form, "scope"))?.scope ?? "one";
  const scope = event.repeat || isSplit(occurrence) ? requestedScope : "all";
  if (scope === "one") {
    return moveOne(visit, event, requestedMove, { back, again });
  }
  const isCorrection = !event.repeat && isOver(visit, event.end_datetime);
  // A change of all of them starts from the first, unless it was removed.
  const first = await findShift(visit, Date.parse(event.begins_at ?? event.start_datetime));
  const isFollowing = scope === "following";
  const firstShift = first ?? { start_time: event.start_datetime, end_time: event.end_datetime };
  const change = movedFrom(event, isFollowing ? occurrence : firstShift, requestedMove);
  if (isFollowing || (event.parent_id === null && first !== null)) {
    const ways = { isFollowing, isCorrection, back, flash: MOVED, again };
    return changeFollowingShifts(visit, event, { change, ...ways });
  }
  const calls = callsFor(visit, isCorrection);
  const changed = await calls.put("/events/:id", { ...change.body, id: idOf(visit) });
  return isRefusal(changed) ? redisplayForm(changed, again) : done(back, MOVED);
}

type Ways = {
  /** The calendar, at the new hours. */
  readonly back: string;
  /** Redisplays the form after a refusal. */
  readonly again: (refusal: Refusal) => Promise<Reply>;
};

/** Moves one shift, once what that changes was shown and confirmed. */
async function moveOne(
  visit: Visit,
  event: Event,
  requested: Move,
  { back, again }: Ways,
): Promise<Reply> {
  const calls = callsFor(visit, isOver(visit, requested.occurrence.part_end_time));
  const body = { ...movedPart(requested), id: idOf(visit) };
  const preview = calls.preview("POST", "/events/:id/move_part", body);
  const read = await allByName({ preview, names: readNames(visit.api) });
  if (isRefusal(read)) return redisplayForm(read, again);
  const asked = await askBeforeEventChange(
    visit,
    { event, ...read },
    {
      ...{ title: "Confirm changes", button: "Confirm changes" },
      lead: "This shift moves with its people. The others do not change.",
      back: { to: back, label: "Calendar" },
    },
  );
  if (asked !== null) return asked;
  const moved = await calls.post("/events/:id/move_part", body);
  return isRefusal(moved) ? redisplayForm(moved, again) : done(back, MOVED);
}

export const eventMoveActions: readonly ConsolePage[] = [action("/events/:id/move", move)];
