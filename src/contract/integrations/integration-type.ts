// An integration type.
import * as z from "zod";
import {
  bothIds,
  choice,
  flag,
  hash,
  identifier,
  instant,
  listOf,
  nested,
  text,
} from "../shared/fields.ts";

export const IntegrationOption = z.object({
  key: text("The parameter is `option_<key>`.", "token"),
  type: choice(["string", "boolean", "integer", "secret"], "The type of the value.", "secret"),
  required: flag("Whether the option is required."),
  default: z
    .union([z.string(), z.boolean(), z.number(), z.null()])
    .meta({ description: "The default value.", examples: [null] }),
  help: text("The help text.", "When set, senders must pass it in the header service-token."),
});
export type IntegrationOption = z.output<typeof IntegrationOption>;

export const IntegrationTypeSupports = z.object({
  create: flag("Whether events can create alerts.", true),
  acknowledge: flag("The time from creation to the first acknowledgement."),
  resolve: flag("The time from creation to resolution."),
});
export type IntegrationTypeSupports = z.output<typeof IntegrationTypeSupports>;

export const IntegrationType = z.object({
  ...bothIds("integration_type"),
  account_id: identifier("account", "The account of the record."),
  created_at: instant("When the record was created."),
  updated_at: instant("When the record was last updated."),
  meta: hash("Custom metadata: an object of at most 16 KiB.", { region: "eu" }),
  name: text("The type's name, snake_case.", "webhook"),
  title: text("The display name of the type.", "Webhook"),
  description: text("The description of the type.", "Any tool that can send JSON."),
  options: listOf(
    IntegrationOption,
    "The options of the type. In requests each is a parameter `option_<key>`.",
  ),
  supports: nested(IntegrationTypeSupports, "The events that senders of this type can send."),
});
export type IntegrationType = z.output<typeof IntegrationType>;
