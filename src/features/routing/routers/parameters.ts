// The parameters of a router.
import * as z from "zod";
import * as field from "../../../contract/shared/parameters.ts";
import { readRouterRules } from "../../../domain/routing/rules/router-rules.ts";
import { rulesParameter } from "./rules-parameters.ts";

export const CreateRouter = z
  .object({
    name: field.requiredText(255),
    enabled: field.optionalFlag,
    rules: rulesParameter(readRouterRules).optional(),
    default_receiver_team_id: field.identifier,
    default_receiver_router_id: field.identifier,
    default_receiver_account_user_id: field.identifier,
    meta: field.hash.optional(),
  })
  .meta({
    needsOneOf: [
      "default_receiver_team_id",
      "default_receiver_router_id",
      "default_receiver_account_user_id",
    ],
    inExample: ["enabled", "rules"],
  });
export type CreateRouter = z.output<typeof CreateRouter>;

export const UpdateRouter = CreateRouter.partial().meta({ inExample: ["name", "enabled"] });
export type UpdateRouter = z.output<typeof UpdateRouter>;
