// One occurrence of an event, and the removal or move of a part of it.
import * as z from "zod";
import {
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
} from "../../../kernel/contract/fields.ts";
import { Event } from "../events/contract.ts";
import { AbsentPerson, EventAttendee } from "../on-call/contract.ts";

export const EventOccurrence = z.object({
  event_id: identifier("event", "The on-call event."),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  part_start_time: instant(
    "The start of the part that overrides and absences leave.",
    "2026-02-02T13:00:00.000Z",
  ),
  part_end_time: instant("The end of that part.", "2026-02-02T17:00:00.000Z"),
  parts: integer("The number of parts that overrides and absences make of the occurrence.", 2),
  attendees: listOf(EventAttendee, "The people on call."),
  absent: listOf(AbsentPerson, "Who would be on call but for an absence.", []),
});
export type EventOccurrence = z.output<typeof EventOccurrence>;

export const PartRemoval = z.object({
  event_id: identifier("event", "The on-call event.").nullable(),
  override_id: identifier(
    "event",
    "The override that leaves the hours empty; null: they went back to whom an override replaced, or the event is gone.",
  ).nullable(),
});
export type PartRemoval = z.output<typeof PartRemoval>;

export const PartMove = PartRemoval.extend({
  moved_event_id: identifier("event", "The plain shift that has the moved hours."),
});
export type PartMove = z.output<typeof PartMove>;

const moment = z.string().meta({ format: "date-time" });

export const FirstShift = z
  .object({
    start_time: instant(
      "The start. In records the same as `start_datetime`.",
      "2026-01-31T09:00:00.000Z",
    ),
    end_time: instant(
      "The end. In records the same as `end_datetime`.",
      "2026-01-31T17:00:00.000Z",
    ),
    account_user_ids: identifiers("account_user", "The people, in order."),
  })
  .nullable();
export type FirstShift = z.output<typeof FirstShift>;

export const ShiftExtension = z
  .object({
    start_time: instant("When the shift before ends.", "2026-01-31T09:00:00.000Z"),
    end_time: instant("When the first changed shift starts.", "2026-01-31T11:00:00.000Z"),
    account_user_ids: identifiers("account_user", "The people of the shift before."),
    extended: flag("Whether they serve these hours: `extend_previous_shift` was sent.", true),
  })
  .nullable();
export type ShiftExtension = z.output<typeof ShiftExtension>;

/** The effects of the change. */
const effects = {
  first_shift: nested(FirstShift, "The first occurrence after the change and its people."),
  overrides_removed: listOf(
    z.string(),
    "The overrides that go because the series ends before them.",
    [],
  ),
  exceptions_continued: listOf(moment, "The starts of removed occurrences that stay removed.", []),
  exceptions_dropped: listOf(
    moment,
    "The starts of removed occurrences without a new occurrence in their place.",
    [],
  ),
  extension: nested(
    ShiftExtension,
    "The hours that the change leaves between the shift before and the first changed one; null: none.",
  ),
};

export const FollowingPreview = z.object({
  unchanged: flag("Whether the change has no effect."),
  ...effects,
});
export type FollowingPreview = z.output<typeof FollowingPreview>;

export const EventWithFollowingEffects = Event.extend(effects);
export type EventWithFollowingEffects = z.output<typeof EventWithFollowingEffects>;
