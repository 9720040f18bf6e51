// An entry of a schedule's history: a change, who made it, and what it did to who is on call.
import * as z from "zod";
import {
  CHANGE_AUTHORS,
  FORMER_KINDS,
  RECORDED_KINDS,
} from "../../../domain/oncall/changes/history-entry.ts";
import {
  bothIds,
  choice,
  flag,
  identifier,
  identifiers,
  instant,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";
import { ChangedOnCall, HoursOnCall, PreviewWindow } from "../on-call/contract.ts";

export const ScheduleChange = z.object({
  ...bothIds("change"),
  account_id: identifier("account", "The account."),
  created_at: instant("When the change was made."),
  actor_kind: choice(
    CHANGE_AUTHORS,
    "Who made it: a person with an API key or signed in to the console, or the service itself.",
    "session",
  ),
  account_user_id: identifier("account_user", "The person who made it.").nullable(),
  api_key_id: identifier("api_key", "The API key that was used.").nullable(),
  verb: text(
    "What was done: `create`, `update`, `delete`, `undo`, `take_over`, or another action.",
    "update",
  ),
  record_kind: choice(
    [...RECORDED_KINDS, ...FORMER_KINDS],
    "The kind of record that was changed. `cover`, `cover_request` and `unavailability` are absences now.",
    "event",
  ),
  record_id: text(
    "The record that was changed; it may no longer exist.",
    "01K5AZ4MBX00000000000000QQ",
  ),
  record_name: text("The record's name, where it has one.", null).nullable(),
  fields: listOf(z.string(), "The names of the fields that an update changed.", ["positions"]),
  event_ids: identifiers("event", "The events that were made, changed or deleted."),
  schedule_ids: identifiers("schedule", "The schedules that the change concerns."),
  relieved_account_user_ids: identifiers(
    "account_user",
    "Of a take-over: who was relieved. They and the person who took over may undo it.",
  ),
  corrects_past: flag("Whether it was to change who was on call before it, too.", false),
  undoes_id: identifier("change", "The change that this one undid.").nullable(),
  undone_by_id: identifier("change", "The change that undid this one.").nullable(),
  undoable: flag("Whether the change can be undone now.", true),
  not_undoable_reason: text("Why it cannot, in words.", null).nullable(),
});
export type ScheduleChange = z.output<typeof ScheduleChange>;

export const ScheduleChangeWithHours = ScheduleChange.extend({
  hours_known: flag("False if the change was too large to be stored: `hours` is empty.", true),
  hours: listOf(
    HoursOnCall,
    "The hours on call in this schedule of those whose hours changed: in the six weeks from the change on, and with `corrects_past` in the four before it.",
  ),
});
export type ScheduleChangeWithHours = z.output<typeof ScheduleChangeWithHours>;

export const ChangeEffect = z.object({
  known: flag("False if the change was too large to be stored: the lists are empty.", true),
  window: nested(
    PreviewWindow,
    "From the change, with `corrects_past` from four weeks before it, until six weeks after it.",
  ),
  changes: listOf(ChangedOnCall, "Who is on call differently, when."),
  gaps_opened: listOf(ChangedOnCall, "Those of the changes after which nobody is on call.", []),
  gaps_closed: listOf(ChangedOnCall, "Those of the changes before which nobody was on call.", []),
  hours: listOf(HoursOnCall, "The hours on call in the window of those whose hours changed."),
});
export type ChangeEffect = z.output<typeof ChangeEffect>;

export const ScheduleChangeWithEffect = ScheduleChange.extend({
  effect: nested(ChangeEffect, "What the change did to who is on call in this schedule."),
});
export type ScheduleChangeWithEffect = z.output<typeof ScheduleChangeWithEffect>;
