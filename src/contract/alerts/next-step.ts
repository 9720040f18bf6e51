// What happens next at a destination of an alert unless somebody answers.
import * as z from "zod";
import { identifier, identifiers, instant, integer, nested, text } from "../shared/fields.ts";

export const NextStepAsked = z
  .object({
    layer: integer("The escalation layer, from 1.", 1),
    pass: integer("How often the layers have been begun.", 1),
    account_user_ids: identifiers("account_user", "People, in their order."),
  })
  .nullable();
export type NextStepAsked = z.output<typeof NextStepAsked>;

export const NextStep = z.object({
  workflow_id: identifier("alert_workflow", "The workflow that paged the person."),
  destination_type: text("What kind of destination it is.", "team"),
  destination_id: identifier("team", "The destination."),
  layer: integer("The escalation layer, from 1.", 1).nullable(),
  pass: integer("How often the layers have been begun.", 1),
  account_user_ids: identifiers("account_user", "People, in their order."),
  at: instant("When."),
  next: nested(NextStepAsked, "Who would be asked after them; null where nobody is left."),
  reassign_team_ids: identifiers("team", "Teams that take over after the last layer."),
  reassign_account_user_ids: identifiers(
    "account_user",
    "People who take over after the last layer.",
    [],
  ),
});
export type NextStep = z.output<typeof NextStep>;
