// The parameters of a router.
import * as z from "zod";
import { describeFault } from "../../../domain/routing/conditions/located.ts";
import { readRouterRules } from "../../../domain/routing/rules/router-rules.ts";
import type { RuleResult } from "../../../domain/routing/rules/rule-list.ts";
import * as field from "../../../kernel/contract/parameters.ts";

// The `rules` parameter of routers and notification rules: the text of a document, or the document
// as JSON.

/** Converts a document sent as JSON to text, so that errors have lines and columns. */
const toText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : (value ?? "");

/** The parsed document with its text; every error has its line and column. */
export const rulesParameter = <Rules>(read: (text: string) => RuleResult<Rules>) =>
  z.preprocess(
    toText,
    z.string("must be a YAML or JSON document").transform((text, context) => {
      const result = read(text);
      if (result.ok) return { text, rules: result.rules };
      for (const fault of result.faults) {
        context.addIssue({ code: "custom", message: describeFault(fault) });
      }
      return z.NEVER;
    }),
  );

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
