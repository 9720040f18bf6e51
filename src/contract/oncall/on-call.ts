// Who is on call.
import * as z from "zod";
import { choice, identifier, instant, integer, listOf } from "../shared/fields.ts";
import { LayerCoverage } from "./coverage.ts";

export const EventAttendee = z.object({
  id: identifier("event", "The record's identifier, a ULID."),
  attendee_id: identifier("account_user", "The account user."),
  attendee_type: choice(["AccountUser"], "What kind of attendee it is."),
  position: integer("Its place in the order, from 0."),
});
export type EventAttendee = z.output<typeof EventAttendee>;

export const OnCallEntry = z.object({
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  event_id: identifier("event", "The on-call event."),
  schedule_id: identifier("schedule", "A schedule."),
  attendees: listOf(EventAttendee, "Who is on call."),
});
export type OnCallEntry = z.output<typeof OnCallEntry>;

export const OnCallTeam = z.object({
  team_id: identifier("team", "The team."),
  schedule_id: identifier("schedule", "A schedule.").nullable(),
  entries: listOf(
    OnCallEntry,
    "Who is on call in the window, by layer and start; what `window_events` says.",
  ),
  layers: listOf(LayerCoverage, "Each layer's coverage."),
});
export type OnCallTeam = z.output<typeof OnCallTeam>;
