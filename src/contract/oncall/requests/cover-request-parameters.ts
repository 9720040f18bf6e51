// The parameters of a request for cover (contract 2, Cover requests).
import * as z from "zod";
import * as field from "../../shared/parameters.ts";

const inReturn = z
  .object(
    { start_datetime: field.instant, end_datetime: field.instant },
    "must be an object with start_datetime and end_datetime",
  )
  .nullish();

const parameters = z.object({
  account_user_id: field.identifier.meta({
    description:
      "The person who is to be covered. Default: the key's owner. Somebody else needs what a cover of them needs.",
  }),
  start_datetime: field.instant,
  end_datetime: field.instant,
  schedule_ids: field.identifiers.optional(),
  account_user_ids: field.identifiers.optional().meta({
    description: "The people who are asked. Required without `event_id`.",
  }),
  event_id: field.identifier.meta({
    description:
      "Asks all people of this rotation but the one to be covered, as it is now. Not with `account_user_ids`.",
  }),
  in_return: inReturn.meta({
    description:
      "Makes it a swap: hours in which everybody who is asked is on call, and which the person takes over from whoever accepts.",
  }),
  expires_at: field.optionalInstant.meta({
    description: "Default and latest: when the hours, or those in return, begin.",
  }),
  reason: field.optionalText(1_000),
  meta: field.hash.optional(),
});

export const CreateCoverRequest = z.preprocess(field.readTimeAliases, parameters).meta({
  inExample: ["account_user_ids", "reason"],
  needsOneOf: ["account_user_ids", "event_id"],
});
export type CreateCoverRequest = z.output<typeof CreateCoverRequest>;

export const UpdateCoverRequest = z.object({
  expires_at: field.optionalInstant.meta({
    description: "At the latest when the hours, or those in return, begin.",
  }),
  reason: field.optionalText(1_000),
  meta: field.hash.optional(),
});
export type UpdateCoverRequest = z.output<typeof UpdateCoverRequest>;
