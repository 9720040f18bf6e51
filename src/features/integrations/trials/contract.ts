// The results of a payload preview and of a test event.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  choice,
  flag,
  hash,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";
import { AlertPreview } from "../../alerts/escalation/contract.ts";

export const PreviewedEvent = z.object({
  kind: choice(
    ["create", "acknowledge", "unacknowledge", "resolve", "change", "note", "ignored", "invalid"],
    "The kind of the event.",
  ),
  reason: text("Why the event is ignored or refused.", null).nullable(),
  thirdparty_id: text("The sender's identifier.", "db-1-disk").nullable(),
  title: text("The alert's title.", "Disk full on db-1").nullable(),
  description: text("The alert's description.", null).nullable(),
  urgency: choice(
    ALERT_URGENCIES,
    "The alert's urgency, from the sender or the integration.",
    "high",
  ).nullable(),
  tags: listOf(z.string(), "The alert's tags.", ["database"]),
  dedup_keys: listOf(z.string(), "The alert's deduplication keys.", []),
  meta: hash("Custom metadata: an object of at most 16 KiB.", { region: "eu" }),
  additional_data: listOf(z.record(z.string(), z.unknown()), "Additional data from the sender."),
});
export type PreviewedEvent = z.output<typeof PreviewedEvent>;

export const IntegrationPreview = z.object({
  events: listOf(PreviewedEvent, "The events of the request."),
  previews: listOf(
    AlertPreview,
    "Who would be notified of the first alert that would be created. Empty without `pages`.",
  ),
});
export type IntegrationPreview = z.output<typeof IntegrationPreview>;

export const IntegrationTest = z.object({
  log_id: identifier(
    "log",
    "The log of the test event; null for outgoing integrations.",
  ).nullable(),
  thirdparty_id: text(
    "The identifier of the test alert.",
    "test-01JJ5E6V7P8Q9R0STVWXYZ0123",
  ).nullable(),
  delivery_id: text(
    "The delivery of the test message; null for integrations that receive events.",
    null,
  ).nullable(),
});
export type IntegrationTest = z.output<typeof IntegrationTest>;

// The event of the integration type `webhook`, and the response of every receiver (contract 7, The
// receiver).

export const WebhookEvent = z
  .object({
    event_type: choice(["create", "acknowledge", "resolve"], "The type of the event."),
    Id: text("The sender's identifier. Repeated and later events find the alert by it.").optional(),
    Title: text("The title. Required on `create`.").optional(),
    Description: text("The description.").optional(),
    Tags: listOf(z.string(), "The tags.").optional(),
    Meta: hash(
      "Custom metadata. Can contain `incident`, `incident_severity` and `incident_message`.",
    ).optional(),
    Urgency: choice(ALERT_URGENCIES, "The urgency. Default: the integration's urgency.").optional(),
    dedup_keys: listOf(z.string(), "Keys that group alerts within the account.").optional(),
  })
  .meta({
    examples: [
      {
        event_type: "create",
        Id: "db-1-disk",
        Title: "Disk full on db-1",
        Description: "Writes fail on db-1.",
        Tags: ["database"],
      },
    ],
  });
export type WebhookEvent = z.output<typeof WebhookEvent>;

export const WebhookAccepted = z.object({
  log_id: identifier("log", "The log of this request."),
});
export type WebhookAccepted = z.output<typeof WebhookAccepted>;

export const WithheldAlert = z.object({
  alert_id: identifier("alert", "The alert."),
  title: text("The alert's title.", "Disk full on db-1"),
  urgency: choice(ALERT_URGENCIES, "The alert's urgency.", "high"),
  at: instant("When it was created."),
  option: choice(
    ["pause_for", "reopen_within"],
    "The option: the alert resolved earlier, or it would have continued another one.",
    "pause_for",
  ),
  continues_id: identifier("alert", "The alert that it would have continued.").nullable(),
  pages: integer("How many messages about it would not have been sent.", 2),
  answered: flag("Whether somebody acknowledged or resolved it.", false),
});
export type WithheldAlert = z.output<typeof WithheldAlert>;

export const IntegrationReplay = z.object({
  since: instant("The beginning of what was read: 90 days ago, or later if there is too much."),
  complete: flag("Whether the whole 90 days were read."),
  alerts: integer("How many alerts the integration created.", 120),
  paused: integer("How many would have been resolved within `pause_for`.", 14),
  continued: integer("How many would have continued another alert.", 6),
  pages: integer("How many messages would not have been sent.", 31),
  answered: integer("How many of these alerts somebody had acknowledged or resolved.", 1),
  results: listOf(
    WithheldAlert,
    "These alerts: those that somebody had answered first, the newest first, at most 200.",
  ),
});
export type IntegrationReplay = z.output<typeof IntegrationReplay>;
