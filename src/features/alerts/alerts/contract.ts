// An alert.
import * as z from "zod";
import {
  ALERT_STATUSES,
  ALERT_URGENCIES,
  DATUM_FORMATS,
  INCIDENT_SEVERITIES,
} from "../../../domain/alerts/alert.ts";
import { EXERCISES } from "../../../domain/alerts/exercise.ts";
import { MOST_SIMILAR_SHOWN } from "../../../domain/alerts/similar-alerts.ts";
import {
  choice,
  common,
  flag,
  hash,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const AdditionalDatum = z.object({
  format: choice(DATUM_FORMATS, "The display format.", "link"),
  label: text("The label.", "Graph"),
  value: text("The value.", "https://example.com/graph"),
});
export type AdditionalDatum = z.output<typeof AdditionalDatum>;

export const Alert = z.object({
  ...common("alert"),
  title: text("The title.", "Disk full on db-1"),
  description: text("The description.", "Writes fail on db-1.").nullable(),
  status: choice(ALERT_STATUSES, "The status.", "open"),
  urgency: choice(ALERT_URGENCIES, "The urgency. Nobody is notified of a `silent` alert.", "high"),
  tags: listOf(z.string(), "An alias of `tag_list`.", ["database"]),
  tag_list: listOf(z.string(), "The tags.", ["database"]),
  source_id: identifier("integration", "The id of the source.").nullable(),
  source_type: text("The type of the source.", "Integration").nullable(),
  source_log_id: identifier("log", "The log of the request that created it.").nullable(),
  thirdparty_id: text("The sender's identifier.", "db-1-disk").nullable(),
  dedup_keys: listOf(z.string(), "Keys that group alerts within the account.", []),
  dedup_count: integer(
    "The number of repeated events while the alert was unfinished, including alerts that routers aggregated with it.",
  ),
  members: listOf(
    z.string(),
    "What fires of the things that the alert is about, where its sender names them.",
    [],
  ),
  latest_title: text("The latest event's title, if it differs from the first's.", null).nullable(),
  latest_description: text(
    "The latest event's description, if it differs from the first's.",
    null,
  ).nullable(),
  latest_link: text(
    "The latest event's first link, if it differs from the first's.",
    null,
  ).nullable(),
  aggregated_into_id: text(
    "The alert that a router's `aggregate` joined this one to. That alert notifies for both and counts this one.",
    null,
  ).nullable(),
  destination_team_ids: identifiers("team", "The destination teams."),
  destination_router_ids: identifiers("router", "The routers that the alert goes through.", []),
  destination_account_user_ids: identifiers("account_user", "The destination people.", []),
  additional_data: listOf(AdditionalDatum, "Additional data from the sender."),
  incident: flag("Whether the alert is an incident."),
  incident_severity: choice(INCIDENT_SEVERITIES, "The incident's severity.", null).nullable(),
  incident_message: text("The message of the incident.", null).nullable(),
  acknowledged_at: instant("When the alert was first acknowledged. Never reset.", null).nullable(),
  resolved_at: instant("When the alert was resolved.", null).nullable(),
  snoozed_until: instant(
    "Until when the alert is snoozed: it is `open` again then, unless somebody acknowledges or resolves it before.",
    null,
  ).nullable(),
  exercise: choice(
    EXERCISES,
    "`test`: a test page that a person sent to themself. `drill`: a fire drill of a team. Null for a real alert.",
    null,
  ).nullable(),
  merged_into_id: text(
    "The alert that this one was merged into, which receives its later events.",
    null,
  ).nullable(),
});
export type Alert = z.output<typeof Alert>;

// The alerts of the last 30 days that are like another.

export const SimilarAlertComment = z
  .object({
    body: text("The comment; a long one is cut.", "Restarted the replica."),
    created_by_name: text("Who wrote it.", "Ada Lovelace").nullable(),
    created_at: instant("When it was written."),
  })
  .nullable();
export type SimilarAlertComment = z.output<typeof SimilarAlertComment>;

export const SimilarAlert = z.object({
  alert_id: identifier("alert", "The alert."),
  title: text("The title.", "Disk 91 % full on db-2"),
  status: choice(ALERT_STATUSES, "The status.", "resolved"),
  created_at: instant("When it was created."),
  resolved_at: instant("When it was resolved.").nullable(),
  resolved_by: text(
    "Who resolved it, as its timeline says; null if nobody did, or it was merged.",
    "Ada Lovelace",
  ).nullable(),
  last_comment: nested(SimilarAlertComment, "The last comment on it; null if there is none."),
});
export type SimilarAlert = z.output<typeof SimilarAlert>;

export const SimilarAlerts = z.object({
  count: integer("How many were found, without the alert itself.", 12),
  complete: flag(
    "Whether all alerts of the last 30 days were looked at that may be similar. If false, there may be more than `count`.",
  ),
  alerts: listOf(
    SimilarAlert,
    `The newest ${MOST_SIMILAR_SHOWN}, newest first; and of the older ones the newest with a comment, if none of these has one.`,
  ),
});
export type SimilarAlerts = z.output<typeof SimilarAlerts>;

// A log: an inbound request with its outcome, or the timeline of an alert.

export const Sublog = z.object({
  time: instant("The time of the line."),
  level: choice(["debug", "info", "warn", "error"], "The log level.", "info"),
  message: text("The message.", "Alert created"),
  alert_id: identifier(
    "alert",
    "The alert that the event created, was counted on or changed. Only in logs of requests.",
  ).optional(),
});
export type Sublog = z.output<typeof Sublog>;

export const LogDetails = z.object({
  message: text("The message.", "Alert created"),
  request: hash("The inbound request with redacted secrets. Only for admins.", {
    method: "POST",
    outcome: "alert created",
  }).optional(),
  sublogs: listOf(Sublog, "The lines of the log, in order."),
});
export type LogDetails = z.output<typeof LogDetails>;

export const Log = z.object({
  ...common("log"),
  format: text("The format of `details`.", "json"),
  level: choice(["debug", "info", "warn", "error"], "The log level.", "info"),
  owner_type: text("The type of the owner.", "Integration"),
  owner_id: identifier("integration", "The record that the log belongs to."),
  details: nested(LogDetails, "The message and the lines of the log."),
});
export type Log = z.output<typeof Log>;
