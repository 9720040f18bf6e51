// The parameters of a saved filter.
import * as z from "zod";
import { ALERT_URGENCIES } from "../../../domain/alerts/alert.ts";
import {
  LIST_GROUPINGS,
  LIST_ORDERS,
  LISTED_STATUSES,
} from "../../../domain/alerts/saved-filter.ts";
import * as field from "../../../kernel/contract/parameters.ts";

const filter = z.object(
  {
    status: field.optionalChoice(LISTED_STATUSES),
    urgency: field.optionalChoice(ALERT_URGENCIES),
    team_id: field.identifier,
    tag: field.optionalText(255),
    q: field.optionalText(255),
    incident: field.optionalFlag,
    sort: field.optionalChoice(LIST_ORDERS),
    group: field.optionalChoice(LIST_GROUPINGS),
  },
  "must be an object",
);

const parameters = z.object({
  name: field.requiredText(100).transform((name) => name.trim()),
  filter,
  meta: field.hash.optional(),
});

export const CreateSavedFilter = parameters.meta({ inExample: ["name", "filter"] });
export type CreateSavedFilter = z.output<typeof CreateSavedFilter>;

export const UpdateSavedFilter = parameters.partial().meta({ inExample: ["name"] });
export type UpdateSavedFilter = z.output<typeof UpdateSavedFilter>;
