// The parameters of an unavailability (contract 2, Unavailability).
import * as z from "zod";
import * as field from "../shared/parameters.ts";

const parameters = z.object({
  account_user_id: field.identifier,
  start_datetime: field.instant,
  end_datetime: field.instant,
  reason: field.optionalText(1_000),
  meta: field.hash.optional(),
});

export const CreateUnavailability = z
  .preprocess(field.readTimeAliases, parameters)
  .meta({ inExample: ["account_user_id", "reason"] });
export type CreateUnavailability = z.output<typeof CreateUnavailability>;

export const UpdateUnavailability = z
  .preprocess(field.readTimeAliases, parameters.omit({ account_user_id: true }).partial())
  .meta({ inExample: ["start_datetime", "end_datetime"] });
export type UpdateUnavailability = z.output<typeof UpdateUnavailability>;
