// What an integration can be.
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
  type: choice(["string", "boolean", "integer", "secret"], "The kind of value.", "secret"),
  required: flag("Whether it has to be given."),
  default: z
    .union([z.string(), z.boolean(), z.number(), z.null()])
    .meta({ description: "What it is when not given.", examples: [null] }),
  help: text("What it is for.", "When set, senders must pass it in the header service-token."),
});
export type IntegrationOption = z.output<typeof IntegrationOption>;

export const IntegrationTypeSupports = z.object({
  create: flag("Events that create alerts.", true),
  acknowledge: flag("From the alert to its first acknowledgement."),
  resolve: flag("From the alert to its end."),
});
export type IntegrationTypeSupports = z.output<typeof IntegrationTypeSupports>;

export const IntegrationType = z.object({
  ...bothIds("integration_type"),
  account_id: identifier("account", "The account it belongs to."),
  created_at: instant("When it was created."),
  updated_at: instant("When it was last changed."),
  meta: hash("A free hash of at most 16 KiB.", { region: "eu" }),
  name: text("The type's name, snake_case.", "webhook"),
  title: text("The type's name for people.", "Webhook"),
  description: text("What it is for.", "Any tool that can send JSON."),
  options: listOf(
    IntegrationOption,
    "The type's options; in requests each is a parameter `option_<key>`.",
  ),
  supports: nested(IntegrationTypeSupports, "Which events its senders send."),
});
export type IntegrationType = z.output<typeof IntegrationType>;
