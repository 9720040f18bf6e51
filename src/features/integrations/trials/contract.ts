// The results of a payload preview and of a test event.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import { choice, hash, identifier, listOf, text } from "../../../kernel/contract/fields.ts";
import { AlertPreview } from "../../alerts/escalation/preview-contract.ts";

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
