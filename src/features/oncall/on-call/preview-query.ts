// The query parameters that preview a change of on-call events, or let it change the past.
import * as z from "zod";
import { flag } from "../../../kernel/contract/fields.ts";

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
