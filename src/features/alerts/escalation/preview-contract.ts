// Who would be notified of an alert, and when, if nobody answered.
import * as z from "zod";
import {
  flag,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const AlertPreviewPage = z.object({
  at: instant("The time."),
  event: text("The event of the notification.", "alert.open"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  name: text("The name.", "Payments"),
  channel: text("The channel of the notification.", "email").nullable(),
  decided_by: text(
    "The notification rule that decides the channel, or the person's own settings.",
  ).nullable(),
  destination_type: text("The type of the destination.", "team").nullable(),
  destination_id: identifier("team", "The destination.").nullable(),
  destination_name: text("The name of the destination.", "Payments").nullable(),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("The number of the current pass through the layers, from 1.", 1).nullable(),
  reason: text("Why the event is ignored or refused.", null).nullable(),
});
export type AlertPreviewPage = z.output<typeof AlertPreviewPage>;

export const AlertPreviewStep = z.object({
  at: instant("The time."),
  level: text("The log level.", "info"),
  message: text("The message.", "Alert created"),
});
export type AlertPreviewStep = z.output<typeof AlertPreviewStep>;

export const AlertPreview = z.object({
  status: text("The status."),
  complete: flag("Whether the result is complete. If false, the result was cut off."),
  pages: listOf(AlertPreviewPage, "The notifications that would be sent, in order."),
  steps: listOf(AlertPreviewStep, "The timeline that the alert would have."),
});
export type AlertPreview = z.output<typeof AlertPreview>;
