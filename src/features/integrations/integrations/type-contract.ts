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
} from "../../../kernel/contract/fields.ts";

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

export const SetUpSnippet = z.object({
  title: text("Where the text belongs.", "alertmanager.yml"),
  format: choice(["yaml", "json", "shell", "text"], "The format of the text.", "shell"),
  text: text(
    "The text. In it, and in the steps, `<URL>` stands for the integration's URL, `<ID>` for its `prefix_id`, `<KEY>` for its intake key, " +
      "`<ORIGIN>` for this service's address and `<TOKEN>` for the integration's token. A line or step with `<TOKEN>` " +
      "is for integrations with a token; where no line or step has it, the token is the parameter `token` of the URL.",
    "curl -fsS '<URL>' -d 'event_type=create' -d 'Title=Disk full'",
  ),
});
export type SetUpSnippet = z.output<typeof SetUpSnippet>;

export const SampleRequest = z.object({
  headers: z
    .record(z.string(), z.string())
    .readonly()
    .meta({
      description: "The headers.",
      examples: [{ "content-type": "application/json" }],
    }),
  method: text("The method, if not `POST`. `EMAIL` stands for an e-mail.", "POST").optional(),
  query: text("What follows the integration's URL.", "?id=db-1").optional(),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).meta({
    description: "The body: JSON, or a string that is sent unchanged.",
    examples: [{ event_type: "create", Id: "db-1-disk", Title: "Disk full" }],
  }),
});
export type SampleRequest = z.output<typeof SampleRequest>;

export const IntegrationSetUp = z.object({
  steps: listOf(z.string(), "What to do at the sender, in order.", [
    "Send events with POST to this URL: <URL>",
  ]),
  snippets: listOf(SetUpSnippet, "Texts to paste at the sender."),
  sample: nested(
    SampleRequest,
    "A request of the sender that creates an alert: `POST /integrations/:id/test` sends it. Left out for outgoing types, " +
      "and for types without a format of their own.",
  ).optional(),
});
export type IntegrationSetUp = z.output<typeof IntegrationSetUp>;

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
  set_up: nested(IntegrationSetUp, "How to set up the sender."),
});
export type IntegrationType = z.output<typeof IntegrationType>;
