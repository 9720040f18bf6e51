// One attempt to reach a person on one channel.
import * as z from "zod";
import {
  choice,
  common,
  identifier,
  instant,
  integer,
  text,
} from "../../../kernel/contract/fields.ts";

export const Notification = z.object({
  ...common("notification"),
  alert_id: identifier("alert", "The alert.").nullable(),
  broadcast_id: text("The broadcast of the notification.", null).nullable(),
  workflow_id: identifier("alert_workflow", "The workflow that notified the person.").nullable(),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("The number of the current pass through the layers, from 1.", 1).nullable(),
  channel: text("The channel of the notification.", "email"),
  to: text("The address. Masked except for admins.", "ada@example.com").nullable(),
  event: text("The event of the notification.", "alert.open"),
  status: choice(["queued", "sent", "delivered", "failed", "skipped"], "The status.", "delivered"),
  reason: text("Why the event is ignored or refused.", null).nullable(),
  provider_id: text(
    "The provider's identifier; with the provider's name before it, as in `vonage:…`, unless that is Twilio or Resend or the deployment has only one.",
    "0102018d",
  ).nullable(),
  attempts: integer("The number of send attempts.", 1),
  queued_at: instant("When the notification was queued."),
  sent_at: instant("When the provider accepted the notification.").nullable(),
  delivered_at: instant("When the provider reported the delivery.").nullable(),
  failed_at: instant("When the notification failed permanently.", null).nullable(),
});
export type Notification = z.output<typeof Notification>;
