// One occurrence of an event, and the removal of a part of it.
import * as z from "zod";
import { identifier, instant, integer, listOf } from "../shared/fields.ts";
import { EventAttendee } from "./on-call.ts";

export const EventOccurrence = z.object({
  event_id: identifier("event", "The on-call event."),
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  part_start_time: instant(
    "When the part begins that overrides leave.",
    "2026-02-02T13:00:00.000Z",
  ),
  part_end_time: instant("When that part ends.", "2026-02-02T17:00:00.000Z"),
  parts: integer("The number of parts that overrides leave of the occurrence.", 2),
  attendees: listOf(EventAttendee, "Who is on call."),
});
export type EventOccurrence = z.output<typeof EventOccurrence>;

export const PartRemoval = z.object({
  event_id: identifier("event", "The on-call event.").nullable(),
  events_kept: listOf(z.string(), "Plain shifts that the rest of the occurrence became."),
});
export type PartRemoval = z.output<typeof PartRemoval>;
