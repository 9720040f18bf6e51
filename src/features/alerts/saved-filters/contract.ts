// A person's filter of the list of alerts, saved under a name.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  LIST_GROUPINGS,
  LIST_ORDERS,
  LISTED_STATUSES,
} from "../../../domain/alerts/saved-filter.ts";
import { choice, common, flag, identifier, nested, text } from "../../../kernel/contract/fields.ts";

export const AlertFilter = z.object({
  status: choice(
    LISTED_STATUSES,
    "The status; `active`: all but resolved alerts.",
    "open",
  ).optional(),
  urgency: choice(ALERT_URGENCIES, "The urgency.", "critical").optional(),
  team_id: identifier("team", "The team that the alerts went to.").optional(),
  tag: text("A tag of the alerts.", "database").optional(),
  q: text("A search of titles, tags and sources.", "disk").optional(),
  incident: flag("Only incidents.", true).optional(),
  sort: choice(
    LIST_ORDERS,
    "The order. By default, lists of resolved alerts begin with the newest, others with the most urgent.",
    "urgency",
  ).optional(),
  group: choice(LIST_GROUPINGS, "What the alerts are grouped by.", "team").optional(),
});
export type AlertFilter = z.output<typeof AlertFilter>;

export const SavedFilter = z.object({
  ...common("saved_filter"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  name: text("The name, unique among the person's filters.", "Critical alerts of payments"),
  filter: nested(AlertFilter, "What the console's list of alerts shows."),
});
export type SavedFilter = z.output<typeof SavedFilter>;
