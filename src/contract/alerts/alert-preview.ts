// Who would be notified of an alert, and when, if nobody answered.
import * as z from "zod";
import { flag, identifier, instant, integer, listOf, text } from "../shared/fields.ts";

export const AlertPreviewPage = z.object({
  at: instant("When."),
  event: text("What it was about.", "alert.open"),
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  name: text("Its name.", "Payments"),
  channel: text("How the person was reached.", "email").nullable(),
  decided_by: text(
    "Which rule decides the channel, or that the person's own settings do.",
  ).nullable(),
  destination_type: text("What kind of destination it is.", "team").nullable(),
  destination_id: identifier("team", "The destination.").nullable(),
  destination_name: text(
    "What the destination is called: whose workflow asks.",
    "Payments",
  ).nullable(),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("How often the layers have been begun.", 1).nullable(),
  reason: text("Why nothing would.", null).nullable(),
});
export type AlertPreviewPage = z.output<typeof AlertPreviewPage>;

export const AlertPreviewStep = z.object({
  at: instant("When."),
  level: text("How grave it is.", "info"),
  message: text("What happened, in words.", "Alert created"),
});
export type AlertPreviewStep = z.output<typeof AlertPreviewStep>;

export const AlertPreview = z.object({
  status: text("Its state."),
  complete: flag("Whether this is all of it; else it would go on for longer than was looked."),
  pages: listOf(AlertPreviewPage, "Who would be reached, in order."),
  steps: listOf(AlertPreviewStep, "What would happen, in order: the story."),
});
export type AlertPreview = z.output<typeof AlertPreview>;
