// A broadcast.
import * as z from "zod";
import {
  bothIds,
  choice,
  common,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  text,
} from "../shared/fields.ts";

export const BroadcastResponseOption = z.object({
  ...bothIds("broadcast_response_option"),
  value: text("The text to choose.", "I can help"),
  position: integer("Its place in the order, from 0."),
  broadcast_responses_count: integer("How many chose it.", 1),
});
export type BroadcastResponseOption = z.output<typeof BroadcastResponseOption>;

export const BroadcastAnswer = z.object({
  ...bothIds("broadcast_response"),
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  broadcast_response_option_id: identifier("broadcast_response_option", "The option chosen."),
  channel: text("How the answer came.", "api"),
  created_at: instant("When it was created."),
});
export type BroadcastAnswer = z.output<typeof BroadcastAnswer>;

export const Broadcast = z.object({
  ...common("broadcast"),
  title: text("Its title.", "Maintenance tonight"),
  description: text("A longer text.", "The database is upgraded at 22:00 UTC.").nullable(),
  tag_list: listOf(z.string(), "Tags.", ["database"]),
  tags: listOf(z.string(), "Another name of `tag_list`.", ["database"]),
  status: choice(
    ["queued", "open", "closed", "errored"],
    "Its state; `closed` is the only one that can be set.",
    "open",
  ),
  response_requested: flag("Whether each recipient is asked for an answer.", true),
  response_requested_by: instant(
    "Until when answers count.",
    "2026-01-31T18:00:00.000Z",
  ).nullable(),
  destination_team_ids: identifiers("team", "Teams it goes to."),
  destination_account_user_ids: identifiers("account_user", "People it goes to.", []),
  account_user_id: identifier("account_user", "Who sent it.").nullable(),
  broadcast_response_options: listOf(BroadcastResponseOption, "What can be answered."),
  broadcast_responses: listOf(BroadcastAnswer, "The answers."),
});
export type Broadcast = z.output<typeof Broadcast>;
