// The parameters of an escalation policy and its layers (contract 2, Escalation policies).
import * as z from "zod";
import { LONGEST_TIMEOUT_MS, TIMEOUT_UNITS } from "../../../domain/alerts/escalation.ts";
import * as field from "../../../kernel/contract/parameters.ts";

const MOST_LAYERS = 100;
const COLOR = /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const layerEntry = z
  .object(
    {
      id: field.identifier,
      layer: field.integer(1, MOST_LAYERS).optional(),
      timeout: field.integer(1, LONGEST_TIMEOUT_MS / 1000).optional(),
      timeout_unit: field.optionalChoice(TIMEOUT_UNITS),
      color_hex: z.preprocess(
        (value) => (value === "" ? null : value),
        z
          .string("must be a string")
          .refine((text) => COLOR.test(text), "must be like #1e90ff")
          .meta({ pattern: COLOR.source })
          .nullish(),
      ),
      _destroy: field.destroy,
    },
    "must be an object",
  )
  .refine(...field.neededToAdd("layer"))
  .refine(...field.neededToAdd("timeout"));
export type LayerEntry = z.output<typeof layerEntry>;

export const CreateEscalationPolicy = z
  .object({
    name: field.requiredText(255),
    repeat: field.integer(0, 3).nullish(),
    reassign_team_ids: field.identifiers.optional(),
    reassign_account_user_ids: field.identifiers.optional(),
    escalation_layers_attributes: field
      .recordList(layerEntry, MOST_LAYERS)
      .meta({
        description: "Layers to add, change (`id`) or remove (`id` and `_destroy`).",
        example: [
          { layer: 1, timeout: 5 },
          { layer: 2, timeout: 10, timeout_unit: "minutes", color_hex: "#1e90ff" },
        ],
      })
      .optional(),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["repeat", "escalation_layers_attributes"] });
export type CreateEscalationPolicy = z.output<typeof CreateEscalationPolicy>;

export const UpdateEscalationPolicy = CreateEscalationPolicy.partial().meta({
  inExample: ["name", "repeat"],
});
export type UpdateEscalationPolicy = z.output<typeof UpdateEscalationPolicy>;
