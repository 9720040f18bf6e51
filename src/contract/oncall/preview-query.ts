// The query parameter that previews a change of on-call events.
import * as z from "zod";
import { flag } from "../shared/fields.ts";

export const PreviewQuery = z.object({
  preview: flag(
    "`true` changes nothing and returns who would be on call differently.",
    false,
  ).optional(),
});
