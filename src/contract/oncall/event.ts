// An on-call event: a single shift, a repeating shift, a rotation, or an override.
import * as z from "zod";
import { FREQUENCY_UNITS } from "../../domain/oncall.ts";
import { exampleId } from "../shared/examples.ts";
import {
  choice,
  common,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  number,
  text,
} from "../shared/fields.ts";

export const EventPosition = z.object({
  id: identifier("event", "The record's identifier, a ULID.").nullable(),
  attendee_id: identifier("account_user", "The account user.").nullable(),
  attendee_type: choice(["AccountUser"], "What kind of attendee it is."),
  position: integer("Its place in the order, from 0."),
});
export type EventPosition = z.output<typeof EventPosition>;

export const EventException = z.object({
  id: identifier("event", "The record's identifier, a ULID."),
  start_datetime: instant("When it starts.", "2026-01-31T09:00:00.000Z"),
});
export type EventException = z.output<typeof EventException>;

export const Event = z.object({
  ...common("event"),
  parent_id: text("The event that it overrides.", null).nullable(),
  start_datetime: instant("When it starts.", "2026-01-31T09:00:00.000Z"),
  end_datetime: instant("When it ends; that moment is no more of it.", "2026-01-31T17:00:00.000Z"),
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  layer: integer("The escalation layer, from 1.", 1),
  time_zone: text("A name that `GET /events/time_zones` lists.", "London"),
  repeat: flag("Whether it repeats.", true),
  frequency: integer("Every how many units it repeats; required with `repeat`.", 1).nullable(),
  frequency_unit: choice(
    FREQUENCY_UNITS,
    "The unit of `frequency`; required with `repeat`.",
    "daily",
  ).nullable(),
  days_of_week: listOf(
    z.int(),
    "Only on these days, of `daily` and `weekly`: Sunday is 0.",
    [1, 2, 3, 4, 5],
  ),
  repeat_end_datetime: instant(
    "The last day of repetition, inclusive.",
    "2026-12-31T00:00:00.000Z",
  ).nullable(),
  terminated_at: instant("No occurrence starts then or later.", null).nullable(),
  begins_at: instant(
    "No occurrence starts before it: the event continues another.",
    null,
  ).nullable(),
  rotation: flag("Whether its people take turns instead of being on call together.", true),
  schedule_ids: identifiers("schedule", "The schedules it stands in."),
  account_user_ids: listOf(z.string().nullable(), "People, in their order.", [
    exampleId("account_user"),
  ]),
  event_attendees: listOf(EventPosition, "Its people, by their turns."),
  exceptions: listOf(EventException, "Occurrences that do not happen.", []),
});
export type Event = z.output<typeof Event>;

export const EventClockChange = z.object({
  local_start: text("Its start on the wall clock.", "2026-03-29 01:30"),
  local_end: text("Its end on the wall clock.", "2026-03-29 09:30"),
  start: choice(["skipped", "repeated"], "What the clock does to its start.").nullable(),
  end: choice(["skipped", "repeated"], "What the clock does to its end.", null).nullable(),
  happens: flag("Whether it happens at all.", true),
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ).nullable(),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ).nullable(),
  longer_by_minutes: number("How much longer it is than by the wall clock.", -60).nullable(),
});
export type EventClockChange = z.output<typeof EventClockChange>;

export const EventWithClockChanges = Event.extend({
  clock_changes: listOf(
    EventClockChange,
    "What changes of clocks will do to it in the coming year.",
  ),
});
export type EventWithClockChanges = z.output<typeof EventWithClockChanges>;

export const EventWithOverridesRemoved = Event.extend({
  overrides_removed: listOf(
    z.string(),
    "Overrides that had nothing left to replace, and went.",
    [],
  ),
});
export type EventWithOverridesRemoved = z.output<typeof EventWithOverridesRemoved>;
