// What the integration type `webhook` takes, and what every receiver answers (specification, Inbound webhook receiver).
import * as z from "zod";
import { ALERT_URGENCIES } from "../../domain/alert.ts";
import { choice, hash, identifier, listOf, text } from "../shared/fields.ts";

export const WebhookEvent = z
  .object({
    event_type: choice(["create", "acknowledge", "resolve"], "What happened."),
    Id: text("What the sender calls it: repeats and later events find the alert by it.").optional(),
    Title: text("Required on `create`.").optional(),
    Description: text("A longer text.").optional(),
    Tags: listOf(z.string(), "Tags.").optional(),
    Meta: hash(
      "A free hash; may carry `incident`, `incident_severity`, `incident_message`.",
    ).optional(),
    Urgency: choice(ALERT_URGENCIES, "How urgent it is; without it, the integration's.").optional(),
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
