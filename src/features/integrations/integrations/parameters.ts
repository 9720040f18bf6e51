// The parameters of an integration. Its options are parameters named `option_<key>`, as its type
// declares them.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { findIntegrationType } from "../../../products/integration-type-id.ts";
import { destinationsParameters } from "../../alerts/alerts/parameters.ts";
import { unsavedRules } from "../../routing/routers/unsaved-rules-parameters.ts";

const integrationType = field.requiredText(64).transform((text, context) => {
  const type = findIntegrationType(text.trim());
  if (type !== null) return type;
  context.addIssue({ code: "custom", message: "must be an id that GET /integration_types lists" });
  return z.NEVER;
});

/** Moves every `option_<key>` parameter into one object, `options`. */
function gatherOptions(parameters: unknown): Record<string, unknown> {
  const gathered: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters as Record<string, unknown>)) {
    if (name.startsWith("option_")) gathered[name.slice("option_".length)] = value;
    else if (name !== "options") rest[name] = value;
  }
  return { ...rest, options: gathered };
}

const parameters = z.object({
  name: field.requiredText(255),
  enabled: field.optionalFlag,
  urgency: field.choice(ALERT_URGENCIES),
  accepts_id: field.optionalFlag,
  accepts_get: field.optionalFlag,
  integration_type_id: integrationType,
  options: z.record(z.string(), z.unknown()),
  account_user_ids: field.identifiers.optional(),
  router_ids: field.identifiers.optional(),
  team_ids: field.identifiers.optional(),
  meta: field.hash.optional(),
});

/** The form for the reference: callers send `option_<key>` parameters instead of `options`. */
const asWritten = { omit: ["options"], typeOptions: true };

export const CreateIntegration = z.preprocess(gatherOptions, parameters).meta({
  ...asWritten,
  needsOneOf: ["team_ids", "router_ids", "account_user_ids"],
  inExample: ["enabled"],
});
export type CreateIntegration = z.output<typeof CreateIntegration>;

const changeable = parameters
  .partial()
  .required({ options: true })
  .extend({
    not_understood_at: z
      .null("must be null")
      .meta({ description: "Null: the events that were not understood have been read." })
      .optional(),
  });

export const UpdateIntegration = z
  .preprocess(gatherOptions, changeable)
  .meta({ ...asWritten, inExample: ["name", "enabled"] });
export type UpdateIntegration = z.output<typeof UpdateIntegration>;

const texts = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], "must be a text"),
);

export const PreviewIntegration = z
  .preprocess(
    gatherOptions,
    z.object({
      payload: z.unknown().meta({
        description: "The body of the request: JSON or raw text.",
        example: { status: "firing" },
      }),
      headers: texts.meta({ description: "The headers of the request." }).optional(),
      params: texts.meta({ description: "The query parameters of the request." }).optional(),
      options: z.record(z.string(), z.unknown()),
      pages: field.optionalFlag.meta({
        description: "Whether to return `previews`.",
        example: true,
      }),
      at: field.optionalInstant.meta({
        description: "The assumed time of the request; now by default.",
      }),
      ...destinationsParameters,
      ...unsavedRules,
    }),
  )
  .meta({ ...asWritten, about: "Alert", inExample: ["pages", "at"] });
export type PreviewIntegration = z.output<typeof PreviewIntegration>;

const ROTATED = ["token", "intake_key", "url"] as const;

const LONGEST_OVERLAP_SECONDS = 30 * 86_400;

export const RotateIntegrationCredential = z
  .object({
    what: field.choice(ROTATED),
    overlap: field.optionalInteger(0, LONGEST_OVERLAP_SECONDS).meta({
      description: "The number of seconds for which the previous credential is still accepted.",
      example: 86_400,
    }),
  })
  .meta({ about: "RotatedCredential", inExample: ["overlap"] });
export type RotateIntegrationCredential = z.output<typeof RotateIntegrationCredential>;
