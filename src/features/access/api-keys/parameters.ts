// The parameters of an API key (contract 1, Auth).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateApiKey = z
  .object({
    name: field.optionalText(255),
    read_only: field.optionalFlag,
    account_user_id: field.identifier,
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["name", "read_only"] });
export type CreateApiKey = z.output<typeof CreateApiKey>;
