// What `pause_for` and `reopen_within` would have changed for an integration's past alerts.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  choice,
  flag,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const WithheldAlert = z.object({
  alert_id: identifier("alert", "The alert."),
  title: text("The alert's title.", "Disk full on db-1"),
  urgency: choice(ALERT_URGENCIES, "The alert's urgency.", "high"),
  at: instant("When it was created."),
  option: choice(
    ["pause_for", "reopen_within"],
    "The option: the alert resolved earlier, or it would have continued another one.",
    "pause_for",
  ),
  continues_id: identifier("alert", "The alert that it would have continued.").nullable(),
  pages: integer("How many messages about it would not have been sent.", 2),
  answered: flag("Whether somebody acknowledged or resolved it.", false),
});
export type WithheldAlert = z.output<typeof WithheldAlert>;

export const IntegrationReplay = z.object({
  since: instant("The beginning of what was read: 90 days ago, or later if there is too much."),
  complete: flag("Whether the whole 90 days were read."),
  alerts: integer("How many alerts the integration created.", 120),
  paused: integer("How many would have been resolved within `pause_for`.", 14),
  continued: integer("How many would have continued another alert.", 6),
  pages: integer("How many messages would not have been sent.", 31),
  answered: integer("How many of these alerts somebody had acknowledged or resolved.", 1),
  results: listOf(
    WithheldAlert,
    "These alerts: those that somebody had answered first, the newest first, at most 200.",
  ),
});
export type IntegrationReplay = z.output<typeof IntegrationReplay>;
