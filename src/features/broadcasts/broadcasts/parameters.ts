// The parameters of a broadcast and its response options (contract 5).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

/** The longest title and description, in characters. */
const MAX_TITLE = 1024;
const MAX_DESCRIPTION = 65_536;

const MOST_OPTIONS = 50;
const MAX_VALUE = 255;

const newOption = z.object({ value: field.requiredText(MAX_VALUE) });

const optionEntry = z
  .object({
    id: field.identifier,
    value: field.requiredText(MAX_VALUE).optional(),
    _destroy: field.destroy,
  })
  .refine(...field.neededToAdd("value"));
export type OptionEntry = z.output<typeof optionEntry>;

const ABOUT_OPTIONS = {
  description: "Options to add, change (`id`) or remove (`id` and `_destroy`).",
  example: [{ value: "I can help" }, { value: "I cannot" }],
};

/** A list, or a comma-separated string. */
const tags = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",") : value),
  field.words,
);

/** Only `closed`; other values are dropped, as the service sets every other status. */
const closing = z.preprocess(
  (value) => (value === "closed" ? value : undefined),
  z.literal("closed").optional(),
);

export const CreateBroadcast = z
  .object({
    title: field.requiredText(MAX_TITLE),
    description: field.optionalText(MAX_DESCRIPTION),
    tag_list: tags.optional(),
    tags: tags.optional(),
    response_requested: field.optionalFlag,
    response_requested_by: field.optionalInstant,
    destination_team_ids: field.identifiers.optional(),
    destination_account_user_ids: field.identifiers.optional(),
    broadcast_response_options_attributes: field
      .recordList(newOption, MOST_OPTIONS)
      .meta(ABOUT_OPTIONS)
      .optional(),
    meta: field.hash.optional(),
  })
  .meta({
    needsOneOf: ["destination_team_ids", "destination_account_user_ids"],
    inExample: [
      "description",
      "tag_list",
      "response_requested",
      "response_requested_by",
      "broadcast_response_options_attributes",
    ],
  });
export type CreateBroadcast = z.output<typeof CreateBroadcast>;

export const UpdateBroadcast = CreateBroadcast.partial()
  .extend({
    broadcast_response_options_attributes: field
      .recordList(optionEntry, MOST_OPTIONS)
      .meta(ABOUT_OPTIONS)
      .optional(),
    status: closing,
  })
  .meta({ inExample: ["title", "description"] });
export type UpdateBroadcast = z.output<typeof UpdateBroadcast>;
