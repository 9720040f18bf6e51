// A notification rule.
import * as z from "zod";
import { common, flag, identifier, text } from "../../../kernel/contract/fields.ts";

export const NotificationRule = z.object({
  ...common("notification_rule"),
  account_user_id: identifier(
    "account_user",
    "The person whose own rule it is; null for a rule of the account.",
  ).nullable(),
  name: text("The name.", "Quiet nights"),
  enabled: flag("Whether the record is enabled.", true),
  rules: text(
    "A YAML or JSON document: `rules: [{ match, actions }]`. The first matching rule decides.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ),
});
export type NotificationRule = z.output<typeof NotificationRule>;
