// A router.
import * as z from "zod";
import { common, flag, identifier, listOf, text } from "../../../contract/shared/fields.ts";

export const Router = z.object({
  ...common("router"),
  name: text("The name.", "By severity"),
  enabled: flag("Whether the record is enabled.", true),
  rules: text(
    "A YAML or JSON document: `rules: [{ match, actions }]`. The first matching rule decides.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ),
  warnings: listOf(
    z.string(),
    "Probable mistakes in templates: variables that are always empty.",
    [],
  ),
  default_receiver_team_id: identifier(
    "team",
    "The team that receives alerts without a matching rule.",
  ).nullable(),
  default_receiver_router_id: text(
    "The router that receives alerts without a matching rule.",
    null,
  ).nullable(),
  default_receiver_account_user_id: text(
    "The person who receives alerts without a matching rule.",
    null,
  ).nullable(),
});
export type Router = z.output<typeof Router>;
