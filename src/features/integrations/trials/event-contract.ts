// The event of the integration type `webhook`, and the response of every receiver (contract 7, The
// receiver).
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import { choice, hash, identifier, listOf, text } from "../../../kernel/contract/fields.ts";

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
