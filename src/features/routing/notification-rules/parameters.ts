// The parameters of a notification rule.
import * as z from "zod";
import { readNotificationRules } from "../../../domain/routing/rules/notification-rules.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { rulesParameter } from "../routers/parameters.ts";

const parameters = {
  name: field.requiredText(255),
  enabled: field.optionalFlag,
  rules: rulesParameter(readNotificationRules).optional(),
  meta: field.hash.optional(),
};

export const CreateNotificationRule = z
  .object({
    ...parameters,
    account_user_id: field.identifier.meta({
      description:
        "The person whose own rule it will be: they may change and delete it, and only they can use it. Everyone may create rules of their own. Without it, a rule of the account, which admins create.",
    }),
  })
  .meta({ inExample: ["enabled", "rules"] });
export type CreateNotificationRule = z.output<typeof CreateNotificationRule>;

export const UpdateNotificationRule = z
  .object(parameters)
  .partial()
  .meta({ inExample: ["name", "enabled"] });
export type UpdateNotificationRule = z.output<typeof UpdateNotificationRule>;
