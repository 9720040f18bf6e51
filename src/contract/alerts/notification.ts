// One attempt to reach a person on one channel.
import * as z from "zod";
import { choice, common, identifier, instant, integer, text } from "../shared/fields.ts";

export const Notification = z.object({
  ...common("notification"),
  alert_id: identifier("alert", "The alert.").nullable(),
  broadcast_id: text("The broadcast that it tells of.", null).nullable(),
  workflow_id: identifier("alert_workflow", "The workflow that paged the person.").nullable(),
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("How often the layers have been begun.", 1).nullable(),
  channel: text("How the person was reached.", "email"),
  to: text("The address; masked for all but admins.", "ada@example.com").nullable(),
  event: text("What it was about.", "alert.open"),
  status: choice(
    ["queued", "sent", "delivered", "failed", "skipped"],
    "How far it got.",
    "delivered",
  ),
  reason: text("Why nothing would.", null).nullable(),
  provider_id: text("What the provider calls it.", "0102018d").nullable(),
  attempts: integer("How often sending was tried.", 1),
  queued_at: instant("When it was decided on."),
  sent_at: instant("When the provider took it.").nullable(),
  delivered_at: instant("When it is known to have arrived.").nullable(),
  failed_at: instant("When it failed for good.", null).nullable(),
});
export type Notification = z.output<typeof Notification>;
