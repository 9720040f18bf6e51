// An integration.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  bothIds,
  choice,
  common,
  flag,
  hash,
  identifier,
  identifiers,
  instant,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const IntegrationTypeName = z.object({
  ...bothIds("integration_type"),
  name: text("The type's name, snake_case.", "webhook"),
  title: text("The display name of the type.", "Webhook"),
});
export type IntegrationTypeName = z.output<typeof IntegrationTypeName>;

export const Integration = z.object({
  ...common("integration"),
  name: text("The name.", "Production monitoring"),
  enabled: flag("Whether the record is enabled.", true),
  urgency: choice(ALERT_URGENCIES, "The urgency of alerts whose event has none.", "high"),
  integration_type_id: text("The id of the type; requests also accept its name.", "webhook"),
  integration_type: nested(IntegrationTypeName, "The type."),
  options: hash(
    "The options by key. A secret reads back as `***`. In requests each is a parameter `option_<key>`.",
    { token: "***", capture_additional_data: false },
  ),
  warnings: listOf(
    z.string(),
    "Probable mistakes in templates: variables that are always empty.",
    [],
  ),
  not_understood_at: instant(
    "When the latest event arrived that the type did not understand; its log says why. Null: none since it was last set to null.",
  ).nullable(),
  account_user_ids: identifiers(
    "account_user",
    "The people who receive the integration's alerts.",
    [],
  ),
  router_ids: identifiers("router", "The routers that the integration's alerts go through.", []),
  team_ids: identifiers("team", "The teams that receive the integration's alerts."),
  url: text(
    "The URL to which senders post their events. Its last part is a secret, the integration's address. Visible to admins and to admins of the integration's teams; never to a read-only key.",
    "https://tocsin.example.com/integration/AABAQIDBAUGBwgJCAk3vT9xQmR7cWb2ZsLq0YdN5h",
  ).optional(),
  accepts_id: flag(
    "Whether `/integration/<id>` with its `id` or `prefix_id` accepts events without a token. Who may only read knows these. True by default.",
    false,
  ),
  accepts_get: flag(
    "Whether a GET of its URL creates and resolves alerts. By default only where senders of the type can do nothing else.",
    false,
  ),
  intake_key: text(
    "The key for senders that only accept a key. Visible to admins and to admins of the integration's teams; never to a read-only key.",
    "3zjm07tb6nq1x9wdc4kavh2erg85spyf",
  ).optional(),
});
export type Integration = z.output<typeof Integration>;

export const RotatedCredential = z.object({
  what: choice(["token", "intake_key", "url"], "The credential to rotate."),
  value: text(
    "The new credential; of a `url` the whole URL.",
    "tok_4be1a0c93f7d5582ab60e91c7d34f0a6b2c1d8e7",
  ),
  previous_valid_until: instant(
    "Until when the previous credential is accepted; null if it is not.",
  ).nullable(),
});
export type RotatedCredential = z.output<typeof RotatedCredential>;

export const SigningSecret = z.object({
  secret: text(
    "The signing secret of requests (Standard Webhooks).",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ),
});
export type SigningSecret = z.output<typeof SigningSecret>;

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

export const StandbySetUp = z.object({
  step: text(
    "A further step; or that the sender takes one address only. In it, `<STANDBY_URL>` stands for the integration's URL at the standby, `<STANDBY_ORIGIN>` for the standby's address.",
    "Add a second webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  ),
  snippets: listOf(
    SetUpSnippet,
    "The texts with both addresses, in place of the others.",
  ).optional(),
});
export type StandbySetUp = z.output<typeof StandbySetUp>;

export const IntegrationSetUp = z.object({
  steps: listOf(z.string(), "What to do at the sender, in order.", [
    "Send events with POST to this URL: <URL>",
  ]),
  snippets: listOf(SetUpSnippet, "Texts to paste at the sender."),
  standby: nested(
    StandbySetUp,
    "How the sender sends its events to the deployment's standby as well. Left out for outgoing types.",
  ).optional(),
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
