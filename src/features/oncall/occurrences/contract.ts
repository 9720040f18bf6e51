// One occurrence of an event, and the removal or move of a part of it.
import * as z from "zod";
import { identifier, instant, integer, listOf } from "../../../kernel/contract/fields.ts";
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
