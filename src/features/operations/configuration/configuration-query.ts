// The query parameter that previews an import of a configuration file.
import * as z from "zod";
import { flag } from "../../../kernel/contract/fields.ts";

export const ConfigurationQuery = z.object({
  preview: flag("`true` changes nothing and returns what would be changed.", false).optional(),
});
