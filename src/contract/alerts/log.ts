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
} from "../shared/fields.ts";

export const Sublog = z.object({
  time: instant("When."),
  level: choice(["debug", "info", "warn", "error"], "How grave it is.", "info"),
  message: text("What happened, in words.", "Alert created"),
});
export type Sublog = z.output<typeof Sublog>;

export const LogDetails = z.object({
  message: text("What happened, in words.", "Alert created"),
  request: hash("What came in, secrets left out; for admins.", {
    method: "POST",
    outcome: "alert created",
  }).optional(),
  sublogs: listOf(Sublog, "The steps, in their order."),
});
export type LogDetails = z.output<typeof LogDetails>;

export const Log = z.object({
  ...common("log"),
  format: text("The format of `details`.", "json"),
  level: choice(["debug", "info", "warn", "error"], "How grave it is.", "info"),
  owner_type: text("What kind of record it is about.", "Integration"),
  owner_id: identifier("integration", "The record it is about."),
  details: nested(LogDetails, "What happened."),
});
export type Log = z.output<typeof Log>;
