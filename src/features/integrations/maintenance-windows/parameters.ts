// The parameters of a maintenance window.
import * as z from "zod";
import { parseWallClock } from "../../../domain/shared/parse-time.ts";
import { isKnownZone, listedTimeZone } from "../../../domain/shared/time-zones.ts";
import * as field from "../../../kernel/contract/parameters.ts";

/** The message for an invalid time; follows the field's name. */
export const NOT_A_TIME = "must be an ISO 8601 date-time, or YYYY-MM-DD HH:mm in time_zone";

/** Validates the format of a time; the time zone determines the instant. */
const time = field
  .requiredText(64)
  .transform((text) => text.trim())
  .refine((text) => text === "" || parseWallClock(text, "UTC") !== null, NOT_A_TIME);

const timeZone = field
  .requiredText(64)
  .transform((text) => listedTimeZone(text.trim()) ?? text.trim())
  .refine(
    (name) => name === "" || isKnownZone(name),
    "must be a name that GET /events/time_zones lists, or an IANA zone",
  );

const integrationIds = z.preprocess(
  (value) => value ?? [],
  field.identifiers.refine((ids) => ids.length > 0, "must name at least one integration"),
);

const parameters = z.object({
  name: field.requiredText(255),
  description: field.optionalText(10_000),
  start_datetime: time,
  end_datetime: time,
  time_zone: timeZone,
  integration_ids: integrationIds,
  meta: field.hash.optional(),
});

export const CreateMaintenanceWindow = z
  .preprocess(field.readTimeAliases, parameters)
  .meta({ inExample: ["description"] });
export type CreateMaintenanceWindow = z.output<typeof CreateMaintenanceWindow>;

export const UpdateMaintenanceWindow = z
  .preprocess(
    field.readTimeAliases,
    parameters.partial().extend({ integration_ids: integrationIds.optional() }),
  )
  .meta({ inExample: ["name", "description"] });
export type UpdateMaintenanceWindow = z.output<typeof UpdateMaintenanceWindow>;
