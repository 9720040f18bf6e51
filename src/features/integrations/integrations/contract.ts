// An integration.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  bothIds,
  choice,
  common,
  flag,
  hash,
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
