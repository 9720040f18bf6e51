// What a payload would do, and the outcome of a test event.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../domain/alert.ts";
import { AlertPreview } from "../alerts/alert-preview.ts";
import { choice, hash, identifier, listOf, text } from "../shared/fields.ts";

export const PreviewedEvent = z.object({
  kind: choice(
    ["create", "acknowledge", "resolve", "note", "ignored", "invalid"],
    "What would happen.",
  ),
  reason: text("Why nothing would.", null).nullable(),
  thirdparty_id: text("What the sender calls it.", "db-1-disk").nullable(),
  title: text("The alert's title.", "Disk full on db-1").nullable(),
  description: text("The alert's description.", null).nullable(),
  urgency: choice(
    ALERT_URGENCIES,
    "The alert's urgency: the sender's or the integration's.",
    "high",
  ).nullable(),
  tags: listOf(z.string(), "The alert's tags.", ["database"]),
  dedup_keys: listOf(z.string(), "The alert's keys.", []),
  meta: hash("A free hash of at most 16 KiB.", { region: "eu" }),
  additional_data: listOf(z.record(z.string(), z.unknown()), "What else the sender sent."),
});
export type PreviewedEvent = z.output<typeof PreviewedEvent>;

export const IntegrationPreview = z.object({
  events: listOf(PreviewedEvent, "What the request says, one by one."),
  previews: listOf(
    AlertPreview,
    "Who would be paged by the first alert that would be created; empty unless asked for.",
  ),
});
export type IntegrationPreview = z.output<typeof IntegrationPreview>;

export const IntegrationTest = z.object({
  log_id: identifier("log", "The log of the test event; null for what tells others.").nullable(),
  thirdparty_id: text("By this the alert is found.", "test-01JJ5E6V7P8Q9R0STVWXYZ0123").nullable(),
  delivery_id: text(
    "The delivery of the test message; null for what takes events.",
    null,
  ).nullable(),
});
export type IntegrationTest = z.output<typeof IntegrationTest>;
