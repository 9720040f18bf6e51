// The workflow of an alert at one of its destinations.
import * as z from "zod";
import { WORKFLOW_STATES } from "../../domain/alert.ts";
import { choice, common, identifier, identifiers, instant, integer } from "../shared/fields.ts";

export const AlertWorkflow = z.object({
  ...common("alert_workflow"),
  alert_id: identifier("alert", "The alert."),
  destination_type: choice(["team", "account_user"], "What kind of destination it is."),
  destination_id: identifier("team", "The destination."),
  state: choice(WORKFLOW_STATES, "Its state."),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("How often the layers have been begun.", 1),
  account_user_ids: identifiers("account_user", "Whom the workflow has paged."),
  next_step_at: instant("When the next layer starts unless somebody answers.").nullable(),
});
export type AlertWorkflow = z.output<typeof AlertWorkflow>;
