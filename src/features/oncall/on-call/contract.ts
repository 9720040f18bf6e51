// Who is on call.
import * as z from "zod";
import {
  choice,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";
import { LayerCoverage } from "./coverage-contract.ts";

export const EventAttendee = z.object({
  id: identifier("event", "The record's identifier, a ULID."),
  attendee_id: identifier("account_user", "The account user."),
  attendee_type: choice(["AccountUser"], "The type of the attendee."),
  position: integer("The position in the order, from 0."),
});
export type EventAttendee = z.output<typeof EventAttendee>;

export const AbsentPerson = z.object({
  account_user_id: identifier("account_user", "Who would be on call."),
  absence_id: text("The absence.", "01K3Y4Z5A6B7C8D9E0F1G2H3J4"),
});

export const OnCallEntry = z.object({
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  event_id: identifier("event", "The on-call event."),
  schedule_id: identifier("schedule", "A schedule."),
  attendees: listOf(EventAttendee, "The people on call."),
  absent: listOf(AbsentPerson, "Who would be on call but for an absence.", []),
});
export type OnCallEntry = z.output<typeof OnCallEntry>;

export const OnCallTeam = z.object({
  team_id: identifier("team", "The team."),
  schedule_id: identifier("schedule", "A schedule.").nullable(),
  entries: listOf(OnCallEntry, "The `window_events` of the schedule, by layer and start."),
  layers: listOf(LayerCoverage, "The coverage of each layer."),
});
export type OnCallTeam = z.output<typeof OnCallTeam>;

export const UncoveredLayer = z.object({
  team_id: identifier("team", "The team."),
  schedule_id: identifier("schedule", "A schedule.").nullable(),
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant(
    "From when nobody is on call. The time of the request if nobody is on call now.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "Until when nobody is on call; null: for the next 14 days.",
    "2026-01-31T17:00:00.000Z",
  ).nullable(),
});
export type UncoveredLayer = z.output<typeof UncoveredLayer>;
