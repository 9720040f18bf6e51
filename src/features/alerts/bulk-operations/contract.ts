// A bulk operation: one action on all alerts that match a filter.
import * as z from "zod";
import { BULK_ACTIONS } from "../../../domain/alerts/bulk-operation.ts";
import {
  choice,
  common,
  hash,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const BulkRefusal = z.object({
  alert_id: identifier("alert", "The alert."),
  title: text("The alert's title; null if it was deleted.", "Database down").nullable(),
  message: text("Why the alert was not changed.", "the alert is resolved"),
});
export type BulkRefusal = z.output<typeof BulkRefusal>;

export const BulkOperation = z.object({
  ...common("bulk_operation"),
  account_user_id: identifier("account_user", "Who started it, and answers the alerts."),
  action: choice(BULK_ACTIONS, "What is done to each alert.", "acknowledge"),
  filter: hash("The filter, as it was given.", { status: "open", urgency: "low" }),
  parameters: hash(
    "What the action takes: `until`, destinations and `note`, or `into_alert_id`.",
    {},
  ),
  team_id: identifier("team", "The team whose alerts were taken; null: the account's.").nullable(),
  status: choice(
    ["queued", "running", "finished"],
    "Whether alerts are still to be done.",
    "finished",
  ),
  total_count: integer("How many alerts matched when it was started, and are not resolved.", 230),
  changed_count: integer("How many alerts it has changed.", 220),
  unchanged_count: integer(
    "How many already were what the action makes them when their turn came.",
    9,
  ),
  refused_count: integer("How many alerts refused.", 1),
  refusals: listOf(BulkRefusal, "The alerts that refused and why; the first 500."),
  finished_at: instant("When the last alert was done; null before.", null).nullable(),
});
export type BulkOperation = z.output<typeof BulkOperation>;
