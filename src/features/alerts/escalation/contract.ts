// The next escalation step of an alert at a destination, if nobody answers.
import * as z from "zod";
import { ALERT_STATUSES, WORKFLOW_STATES } from "../../../domain/alerts/alert.ts";
import {
  choice,
  common,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const NextStepAsked = z
  .object({
    layer: integer("The escalation layer, from 1.", 1),
    pass: integer("The number of the current pass through the layers, from 1.", 1),
    account_user_ids: identifiers("account_user", "The people, in order."),
  })
  .nullable();
export type NextStepAsked = z.output<typeof NextStepAsked>;

export const NextStep = z.object({
  workflow_id: identifier("alert_workflow", "The workflow that notified the person."),
  destination_type: text("The type of the destination.", "team"),
  destination_id: identifier("team", "The destination."),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("The number of the current pass through the layers, from 1.", 1),
  account_user_ids: identifiers("account_user", "The people, in order."),
  at: instant("The time."),
  next: nested(NextStepAsked, "Who would be notified next; null if nobody is left."),
  reassign_team_ids: identifiers("team", "The teams to reassign to after the last layer."),
  reassign_account_user_ids: identifiers(
    "account_user",
    "The people to reassign to after the last layer.",
    [],
  ),
});
export type NextStep = z.output<typeof NextStep>;

export const AlertProgress = z.object({
  alert_id: identifier("alert", "The alert."),
  acknowledged_by_id: identifier(
    "account_user",
    "Who acknowledged or snoozed it last; null if nobody did, or its sender.",
  ).nullable(),
  acknowledged_at: instant("When that was.").nullable(),
  next_steps: listOf(NextStep, "The next step of each destination with an open workflow."),
});
export type AlertProgress = z.output<typeof AlertProgress>;

export const AlertCount = z.object({
  status: choice(ALERT_STATUSES, "The status.", "open"),
  mine: integer("The alerts of `scope=mine`.", 1),
  my_teams: integer("The alerts of `scope=my_teams`.", 4),
  all: integer("All of them.", 12),
});

export type AlertCount = z.output<typeof AlertCount>;

/** What a page of alerts shows beside its records. */
export const AlertOverview = z.object({
  progress: listOf(
    AlertProgress,
    "Who has the alerts of the page, and who is notified next. Alerts of which neither is known are left out.",
  ),
  counts: listOf(
    AlertCount,
    "How many alerts the filters match, whatever the status and the scope: by status, of those that are not resolved. A status without any is left out.",
  ),
  resolved_count: integer(
    "How many alerts of the account are resolved; null if there are filters other than the status.",
    340,
  ).nullable(),
});
export type AlertOverview = z.output<typeof AlertOverview>;

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

/** The workflow of an alert at one of its destinations. */
export const AlertWorkflow = z.object({
  ...common("alert_workflow"),
  alert_id: identifier("alert", "The alert."),
  destination_type: choice(["team", "account_user"], "The type of the destination."),
  destination_id: identifier("team", "The destination."),
  state: choice(WORKFLOW_STATES, "The state."),
  requested: flag(
    "Whether a responder requested it. Such a workflow does not affect the status of the alert.",
  ),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("The number of the current pass through the layers, from 1.", 1),
  account_user_ids: identifiers("account_user", "The people whom the workflow has notified."),
  next_step_at: instant("When the next layer starts if nobody acknowledges.").nullable(),
});
export type AlertWorkflow = z.output<typeof AlertWorkflow>;
