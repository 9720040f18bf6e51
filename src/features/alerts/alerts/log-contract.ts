// A log: an inbound request with its outcome, or the timeline of an alert.
import * as z from "zod";
import {
  choice,
  common,
  hash,
  identifier,
  instant,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const Sublog = z.object({
  time: instant("The time of the line."),
  level: choice(["debug", "info", "warn", "error"], "The log level.", "info"),
  message: text("The message.", "Alert created"),
  alert_id: identifier(
    "alert",
    "The alert that the event created, was counted on or changed. Only in logs of requests.",
  ).optional(),
});
export type Sublog = z.output<typeof Sublog>;

export const LogDetails = z.object({
  message: text("The message.", "Alert created"),
  request: hash("The inbound request with redacted secrets. Only for admins.", {
    method: "POST",
    outcome: "alert created",
  }).optional(),
  sublogs: listOf(Sublog, "The lines of the log, in order."),
});
export type LogDetails = z.output<typeof LogDetails>;

export const Log = z.object({
  ...common("log"),
  format: text("The format of `details`.", "json"),
  level: choice(["debug", "info", "warn", "error"], "The log level.", "info"),
  owner_type: text("The type of the owner.", "Integration"),
  owner_id: identifier("integration", "The record that the log belongs to."),
  details: nested(LogDetails, "The message and the lines of the log."),
});
export type Log = z.output<typeof Log>;
