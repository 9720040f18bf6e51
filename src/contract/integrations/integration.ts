// An integration.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../domain/alert.ts";
import {
  bothIds,
  choice,
  common,
  flag,
  hash,
  identifiers,
  listOf,
  nested,
  text,
} from "../shared/fields.ts";

export const IntegrationTypeName = z.object({
  ...bothIds("integration_type"),
  name: text("The type's name, snake_case.", "webhook"),
  title: text("The type's name for people.", "Webhook"),
});
export type IntegrationTypeName = z.output<typeof IntegrationTypeName>;

export const Integration = z.object({
  ...common("integration"),
  name: text("Its name.", "Production monitoring"),
  enabled: flag("Whether it is in use.", true),
  urgency: choice(ALERT_URGENCIES, "The urgency of alerts that bring none.", "high"),
  integration_type_id: text("The id of its type, or, in requests, the type's name.", "webhook"),
  integration_type: nested(IntegrationTypeName, "Its type."),
  options: hash(
    "The type's options by key; a secret that is set reads `***`. In requests each is a parameter `option_<key>`.",
    { token: "***", capture_additional_data: false },
  ),
  warnings: listOf(
    z.string(),
    "What will not work as it is probably meant: names in templates that are always empty. Empty when there is nothing.",
    [],
  ),
  account_user_ids: identifiers("account_user", "People its alerts go to.", []),
  router_ids: identifiers("router", "Routers its alerts go through.", []),
  team_ids: identifiers("team", "Teams its alerts go to."),
  url: text(
    "Where senders send their events.",
    "https://tocsin.example.com/integration/int_AAEC",
  ).optional(),
  intake_key: text(
    "For senders that can only be given a key. Shown to admins and to admins of the integration's teams; never to a read-only key.",
    "9f2c41d07ab35e6810c4d2f3a5b6e718",
  ).optional(),
});
export type Integration = z.output<typeof Integration>;
