// An alert.
import * as z from "zod";
import {
  ALERT_STATUSES,
  ALERT_URGENCIES,
  DATUM_FORMATS,
  INCIDENT_SEVERITIES,
} from "../../domain/alert.ts";
import {
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

export const AdditionalDatum = z.object({
  format: choice(DATUM_FORMATS, "How to show it.", "link"),
  label: text("What it is.", "Graph"),
  value: text("The value.", "https://example.com/graph"),
});
export type AdditionalDatum = z.output<typeof AdditionalDatum>;

export const Alert = z.object({
  ...common("alert"),
  title: text("Its title.", "Disk full on db-1"),
  description: text("A longer text.", "Writes fail on db-1.").nullable(),
  status: choice(ALERT_STATUSES, "Its state.", "open"),
  urgency: choice(
    ALERT_URGENCIES,
    "How urgent it is; nobody is notified of a `silent` one.",
    "high",
  ),
  tags: listOf(z.string(), "Another name of `tag_list`.", ["database"]),
  tag_list: listOf(z.string(), "Tags.", ["database"]),
  source_id: identifier("integration", "Where it came from.").nullable(),
  source_type: text("What kind of source that is.", "Integration").nullable(),
  source_log_id: identifier("log", "The log of the request that created it.").nullable(),
  thirdparty_id: text("What the sender calls it.", "db-1-disk").nullable(),
  dedup_keys: listOf(z.string(), "Keys that group alerts within the account.", []),
  dedup_count: integer(
    "How often it was sent again while unfinished, with the alerts that routers aggregated with it.",
  ),
  aggregated_into_id: text(
    "The alert that a router's `aggregate` joined it to: that one pages for both, and counts it.",
    null,
  ).nullable(),
  destination_team_ids: identifiers("team", "Teams it goes to."),
  destination_router_ids: identifiers("router", "Routers it goes through.", []),
  destination_account_user_ids: identifiers("account_user", "People it goes to.", []),
  additional_data: listOf(AdditionalDatum, "What else the sender sent."),
  incident: flag("Whether it is an incident."),
  incident_severity: choice(INCIDENT_SEVERITIES, "The incident's severity.", null).nullable(),
  incident_message: text("The incident's own message.", null).nullable(),
  acknowledged_at: instant("When it was first acknowledged; never reset.", null).nullable(),
  resolved_at: instant("When it was resolved.", null).nullable(),
});
export type Alert = z.output<typeof Alert>;
