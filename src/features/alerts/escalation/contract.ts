// The next escalation step of an alert at a destination, if nobody answers.
import * as z from "zod";
import {
  identifier,
  identifiers,
  instant,
  integer,
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
