// The query parameters that preview a change of on-call events, or let it change the past.
import * as z from "zod";
import { flag, instantInQuery, text } from "../../../kernel/contract/fields.ts";

export const PreviewQuery = z.object({
  preview: flag(
    "`true` changes nothing and returns who would be on call differently.",
    false,
  ).optional(),
});

export const CorrectionQuery = z.object({
  corrects_past: flag(
    "`true` also changes who was on call before now. Without it, hours that were served stay.",
    false,
  ).optional(),
});

const start = (description: string) => instantInQuery(description, "2026-01-31 00:00:00");
const end = (description: string) => instantInQuery(description, "2026-02-07 00:00:00");

const FORM = "YYYY-MM-DD HH:mm:ss (UTC), or ISO 8601";
const NARROW = `${FORM}; at most 92 days`;

export const WindowQuery = z.object({ start: start(FORM), end: end(FORM) });

export const ConflictsQuery = z.object({
  start: start(`${FORM}. Default: now.`).optional(),
  end: end(`${FORM}. Default: in six weeks.`).optional(),
});

export const NarrowWindowQuery = z.object({ start: start(NARROW), end: end(NARROW) });

export const OnCallTeamsQuery = NarrowWindowQuery.extend({
  team_id: text("Only this team.", "01K3Y4Z5A6B7C8D9E0F1G2H3J4").optional(),
});

export const OccurrenceQuery = z.object({
  action_time: instantInQuery(
    "The start of the occurrence.",
    "2026-02-02T09:00:00.000Z",
  ).optional(),
});
