// The parameters of a bulk operation.
import * as z from "zod";
import { BULK_ACTIONS } from "../../../domain/alerts/bulk-operation.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { destinationsParameters, note } from "../alerts/parameters.ts";

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
    until: field.optionalInstant.meta({
      description:
        "For `snooze`: when the alerts are open again; in the future, at most 30 days ahead.",
    }),
    destination_team_ids: destinationsParameters.destination_team_ids.meta({
      description: "For `handoff`: the teams.",
    }),
    destination_router_ids: destinationsParameters.destination_router_ids.meta({
      description: "For `handoff`: the routers.",
    }),
    destination_account_user_ids: destinationsParameters.destination_account_user_ids.meta({
      description: "For `handoff`: the people.",
    }),
    note: note.meta({ description: "For `handoff`: a note for the new recipients." }),
    into_alert_id: field.identifier.meta({
      description: "For `merge`: the alert that the others become part of.",
    }),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["filter"] });
export type CreateBulkOperation = z.output<typeof CreateBulkOperation>;
