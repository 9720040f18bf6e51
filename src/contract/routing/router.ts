// A router.
import * as z from "zod";
import { common, flag, identifier, listOf, text } from "../shared/fields.ts";

export const Router = z.object({
  ...common("router"),
  name: text("Its name.", "By severity"),
  enabled: flag("Whether it is in use.", true),
  rules: text(
    "A YAML or JSON document: `rules: [{ match, actions }]`, the first match wins.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ),
  warnings: listOf(
    z.string(),
    "What will not work as it is probably meant: names in templates that are always empty. Empty when there is nothing.",
    [],
  ),
  default_receiver_team_id: identifier(
    "team",
    "The team that gets what no rule sends elsewhere.",
  ).nullable(),
  default_receiver_router_id: text("The router that gets it.", null).nullable(),
  default_receiver_account_user_id: text("The person who gets it.", null).nullable(),
});
export type Router = z.output<typeof Router>;
