// The parameters of a notification rule.
import * as z from "zod";
import { readNotificationRules } from "../../domain/routing/rules/notification-rules.ts";
import * as field from "../shared/parameters.ts";
import { rulesParameter } from "./rules-parameters.ts";

export const CreateNotificationRule = z
  .object({
    name: field.requiredText(255),
    enabled: field.optionalFlag,
    rules: rulesParameter(readNotificationRules).optional(),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["enabled", "rules"] });
export type CreateNotificationRule = z.output<typeof CreateNotificationRule>;

export const UpdateNotificationRule = CreateNotificationRule.partial().meta({
  inExample: ["name", "enabled"],
});
export type UpdateNotificationRule = z.output<typeof UpdateNotificationRule>;
