// A router.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import { RECEIVER_TYPES } from "../../../domain/routing/rules/router-rules.ts";
import {
  choice,
  common,
  flag,
  identifier,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const Router = z.object({
  ...common("router"),
  name: text("The name.", "By severity"),
  enabled: flag("Whether the record is enabled.", true),
  rules: text(
    "A YAML or JSON document: `rules: [{ match, actions }]`. The first matching rule decides.",
    "rules:\n  - match: { alert.urgency: low }\n    actions: [{ type: ignore }]\n",
  ),
  warnings: listOf(
    z.string(),
    "Probable mistakes in templates: variables that are always empty.",
    [],
  ),
  default_receiver_team_id: identifier(
    "team",
    "The team that receives alerts without a matching rule.",
  ).nullable(),
  default_receiver_router_id: text(
    "The router that receives alerts without a matching rule.",
    null,
  ).nullable(),
  default_receiver_account_user_id: text(
    "The person who receives alerts without a matching rule.",
    null,
  ).nullable(),
});
export type Router = z.output<typeof Router>;

export const ReplayedReceiver = z.object({
  type: choice(RECEIVER_TYPES, "The type of the receiver.", "team"),
  id: identifier("team", "The receiver."),
  name: text("The name.", "Payments"),
  delay: integer("After how many seconds the receiver gets the alert.", 0),
  aggregated_for: integer(
    "For how many seconds further alerts with the same values are aggregated; null if they are not.",
    null,
  ).nullable(),
});
export type ReplayedReceiver = z.output<typeof ReplayedReceiver>;

export const ReplayedRoute = z.object({
  summary: text("What would happen, in words.", "Payments after 5m; urgency low"),
  ignored: flag("Whether a rule ignores the event, so that nobody is notified.", false),
  urgency: choice(ALERT_URGENCIES, "The alert's urgency.", "high"),
  receivers: listOf(ReplayedReceiver, "The teams and people that get the alert."),
});
export type ReplayedRoute = z.output<typeof ReplayedRoute>;

export const ReplayedEvent = z.object({
  log_id: identifier("log", "The log of the request."),
  at: instant("When the request was received."),
  integration_id: identifier("integration", "The integration that received it."),
  integration_name: text("The integration's name.", "Prometheus"),
  title: text("The alert's title.", "Disk full on db-1"),
  different: flag("Whether the results differ.", true),
  before: nested(
    ReplayedRoute,
    "What the stored router does or, for a new one, the integration's own destinations.",
  ),
  after: nested(ReplayedRoute, "What the router in the request would have done."),
});
export type ReplayedEvent = z.output<typeof ReplayedEvent>;

export const RouterReplay = z.object({
  requests: integer("How many requests were read.", 120),
  events: integer("How many events of them create an alert that the router gets.", 96),
  same: integer("For how many of these the result stays the same.", 90),
  different: integer("For how many it differs.", 6),
  complete: flag("Whether all requests were evaluated. If false, the older ones were left out."),
  results: listOf(ReplayedEvent, "The events: those that differ first, the newest first."),
});
export type RouterReplay = z.output<typeof RouterReplay>;
