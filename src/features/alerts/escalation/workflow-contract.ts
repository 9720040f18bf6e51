// The workflow of an alert at one of its destinations.
import * as z from "zod";
import { WORKFLOW_STATES } from "../../../domain/alerts/alert.ts";
import {
  choice,
  common,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
} from "../../../kernel/contract/fields.ts";

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
