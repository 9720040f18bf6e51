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
} from "../../../kernel/contract/fields.ts";

export const BroadcastResponseOption = z.object({
  ...bothIds("broadcast_response_option"),
  value: text("The text of the option.", "I can help"),
  position: integer("The position in the order, from 0."),
  broadcast_responses_count: integer("The number of responses with this option.", 1),
});
export type BroadcastResponseOption = z.output<typeof BroadcastResponseOption>;

export const BroadcastAnswer = z.object({
  ...bothIds("broadcast_response"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  broadcast_response_option_id: identifier("broadcast_response_option", "The chosen option."),
  channel: text("The channel of the response.", "api"),
  created_at: instant("When the record was created."),
});
export type BroadcastAnswer = z.output<typeof BroadcastAnswer>;

export const Broadcast = z.object({
  ...common("broadcast"),
  title: text("The title.", "Maintenance tonight"),
  description: text("The description.", "The database is upgraded at 22:00 UTC.").nullable(),
  tag_list: listOf(z.string(), "The tags.", ["database"]),
  tags: listOf(z.string(), "An alias of `tag_list`.", ["database"]),
  status: choice(
    ["queued", "open", "closed", "errored"],
    "The status. Only `closed` can be set.",
    "open",
  ),
  response_requested: flag("Whether a response of each recipient is requested.", true),
  response_requested_by: instant(
    "The deadline for responses.",
    "2026-01-31T18:00:00.000Z",
  ).nullable(),
  destination_team_ids: identifiers("team", "The destination teams."),
  destination_account_user_ids: identifiers("account_user", "The destination people.", []),
  account_user_id: identifier("account_user", "The sender.").nullable(),
  broadcast_response_options: listOf(BroadcastResponseOption, "The response options."),
  broadcast_responses: listOf(BroadcastAnswer, "The responses."),
});
export type Broadcast = z.output<typeof Broadcast>;
