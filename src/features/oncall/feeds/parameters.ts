// The parameters of a calendar feed.
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateFeed = z
  .object({ name: field.optionalText(255), meta: field.hash.optional() })
  .meta({ inExample: ["name"] });
export type CreateFeed = z.output<typeof CreateFeed>;
