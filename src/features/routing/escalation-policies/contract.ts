// An escalation policy and its layers.
import * as z from "zod";
import { TIMEOUT_UNITS } from "../../../domain/alerts/escalation.ts";
import {
  bothIds,
  choice,
  common,
  identifier,
  identifiers,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const EscalationLayer = z.object({
  account_id: identifier("account", "The account of the record."),
  ...bothIds("escalation_layer"),
  layer: integer("The escalation layer, from 1.", 1),
  timeout: integer("How long to wait for an acknowledgement before the next layer.", 5),
  timeout_unit: choice(TIMEOUT_UNITS, "The unit of `timeout`.", "minutes"),
  color_hex: text("The display colour of the layer.", "#1e90ff").nullable(),
});
export type EscalationLayer = z.output<typeof EscalationLayer>;

export const EscalationPolicy = z.object({
  ...common("escalation_policy"),
  name: text("The name.", "Payments Escalation Policy"),
  repeat: integer("The number of additional passes through the layers.", 1),
  reassign_team_ids: identifiers("team", "The teams to reassign to after the last layer."),
  reassign_account_user_ids: identifiers(
    "account_user",
    "The people to reassign to after the last layer.",
    [],
  ),
  team_ids: identifiers("team", "The teams that use the policy."),
  escalation_layers: listOf(EscalationLayer, "The layers, in order."),
});
export type EscalationPolicy = z.output<typeof EscalationPolicy>;
