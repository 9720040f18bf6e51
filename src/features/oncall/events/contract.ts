// An on-call event: a single shift, a repeating shift, a rotation, or an override.
import * as z from "zod";
import { WHEN_AWAY } from "../../../domain/oncall/absences/absence.ts";
import { FREQUENCY_UNITS } from "../../../domain/oncall/on-call-event.ts";
import { exampleId } from "../../../kernel/contract/examples.ts";
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
} from "../../../kernel/contract/fields.ts";

export const EventPosition = z.object({
  id: identifier("event", "The record's identifier, a ULID.").nullable(),
  attendee_id: identifier("account_user", "The account user.").nullable(),
  attendee_type: choice(["AccountUser"], "The type of the attendee."),
  position: integer("The position in the order, from 0."),
});
export type EventPosition = z.output<typeof EventPosition>;

export const EventException = z.object({
  id: identifier("event", "The record's identifier, a ULID."),
  start_datetime: instant("The start.", "2026-01-31T09:00:00.000Z"),
});
export type EventException = z.output<typeof EventException>;

export const EventRestriction = z.object({
  days_of_week: listOf(z.int(), "The days on which the hours start. Sunday is 0.", [1, 2, 3, 4, 5]),
  start_time: text("When the hours start, as wall-clock time.", "09:00"),
  end_time: text("When the hours end, as wall-clock time.", "17:00"),
});
export type EventRestriction = z.output<typeof EventRestriction>;

export const Event = z.object({
  ...common("event"),
  parent_id: text("The event that this one overrides.", null).nullable(),
  series_id: text(
    "The series: the id of the event that it began with. Its versions and overrides have the same.",
    "01K2Z8W3V5QF7T9R1C4E6G8J0M",
  ),
  start_datetime: instant("The start.", "2026-01-31T09:00:00.000Z"),
  end_datetime: instant("The end (exclusive).", "2026-01-31T17:00:00.000Z"),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  layer: integer("The escalation layer, from 1.", 1),
  time_zone: text("A name that `GET /events/time_zones` lists.", "London"),
  repeat: flag("Whether the event repeats.", true),
  frequency: integer("The number of units between repeats. Required with `repeat`.", 1).nullable(),
  frequency_unit: choice(
    FREQUENCY_UNITS,
    "The unit of `frequency`. Required with `repeat`.",
    "daily",
  ).nullable(),
  days_of_week: listOf(
    z.int(),
    "The days of the week, for `daily` and `weekly` only. Sunday is 0.",
    [1, 2, 3, 4, 5],
  ),
  repeat_end_datetime: instant(
    "The last day on which the event repeats, inclusive.",
    "2026-12-31T00:00:00.000Z",
  ).nullable(),
  terminated_at: instant(
    "The cut-off: no occurrence starts at or after this time.",
    null,
  ).nullable(),
  begins_at: instant(
    "The event continues another one: no occurrence starts before this time.",
    null,
  ).nullable(),
  import_id: text(
    "The calendar import that the shift belongs to. It is read-only.",
    null,
  ).nullable(),
  rotation: flag("Whether the people rotate instead of being on call together.", true),
  schedule_ids: identifiers("schedule", "The schedules of the event."),
  account_user_ids: listOf(z.string().nullable(), "The people, in order.", [
    exampleId("account_user"),
  ]),
  positions: listOf(
    z.array(z.string()).readonly(),
    "The people by position: those of one position take their turn together.",
    [[exampleId("account_user")]],
  ),
  restrictions: listOf(
    EventRestriction,
    "The hours of the week in which the occurrences are served; empty: all of them.",
    [],
  ),
  priority: integer(
    "In the hours of the event, events of lower priority on its layer do not count.",
    0,
  ),
  when_away: choice(
    WHEN_AWAY,
    "What a rotation does in the hours of people who are away, unless their absence says who is on call instead: they `stay` on call, or the `next_in_line` is.",
    "stay",
  ),
  effective_at: instant(
    "When the present people take, or took, over from earlier ones.",
    null,
  ).nullable(),
  event_attendees: listOf(EventPosition, "The people of the event, in the order of the rotation."),
  exceptions: listOf(EventException, "The removed occurrences.", []),
});
export type Event = z.output<typeof Event>;

export const EventClockChange = z.object({
  local_start: text("The start as wall-clock time.", "2026-03-29 01:30"),
  local_end: text("The end as wall-clock time.", "2026-03-29 09:30"),
  start: choice(["skipped", "repeated"], "The effect of the clock change on the start.").nullable(),
  end: choice(
    ["skipped", "repeated"],
    "The effect of the clock change on the end.",
    null,
  ).nullable(),
  happens: flag("Whether the occurrence takes place.", true),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ).nullable(),
  end_time: instant(
    "The end. In records the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ).nullable(),
  longer_by_minutes: number(
    "The number of minutes by which it is longer than its wall-clock length.",
    -60,
  ).nullable(),
});
export type EventClockChange = z.output<typeof EventClockChange>;

export const EventRoster = z.object({
  from: instant("When the roster takes effect; null: from the start.", null).nullable(),
  until: instant("When the next one takes effect; null: none is planned.", null).nullable(),
  rotation: flag("Whether the people rotate instead of being on call together.", true),
  positions: listOf(z.array(z.string()).readonly(), "The people by position.", [
    [exampleId("account_user")],
  ]),
});
export type EventRoster = z.output<typeof EventRoster>;

export const EventWithClockChanges = Event.extend({
  rosters: listOf(
    EventRoster,
    "Who serves the event, has served it and is planned to serve it, from when until when.",
  ),
  clock_changes: listOf(
    EventClockChange,
    "The effects of clock changes on the event in the next year.",
  ),
});
export type EventWithClockChanges = z.output<typeof EventWithClockChanges>;

export const EventWithOverridesRemoved = Event.extend({
  overrides_removed: listOf(
    z.string(),
    "The overrides that were removed with what they overrode.",
    [],
  ),
});
export type EventWithOverridesRemoved = z.output<typeof EventWithOverridesRemoved>;
