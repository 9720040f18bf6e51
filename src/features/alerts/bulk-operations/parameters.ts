// The parameters of a bulk operation.
import * as z from "zod";
import { BULK_ACTIONS } from "../../../domain/alerts/bulk-operation.ts";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateBulkOperation = z
  .object({
    action: field.choice(BULK_ACTIONS),
    filter: field.hash.meta({
      description:
        "The query parameters of `GET /alerts`, by name: filters, `ops` and `q`; several values of one filter as a list. Without any, every alert that is not resolved matches.",
      examples: [{ status: "open", urgency: "low" }],
    }),
    team_id: field.identifier.meta({
      description: "Takes the alerts of `GET /teams/{id}/alerts` instead.",
    }),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["filter"] });
export type CreateBulkOperation = z.output<typeof CreateBulkOperation>;
