// The parameters of an absence (contract 2, Absences).
import * as z from "zod";
import { INSTEAD } from "../../../domain/oncall/absences/absence-record.ts";
import * as field from "../../../kernel/contract/parameters.ts";

const inReturn = z
  .object(
    { start_datetime: field.instant, end_datetime: field.instant },
    "must be an object with start_datetime and end_datetime",
  )
  .nullish();

const parameters = z.object({
  account_user_id: field.identifier.meta({
    description: "The person who is away. Default: the key's owner.",
  }),
  start_datetime: field.instant,
  end_datetime: field.instant,
  schedule_ids: field.identifiers.optional(),
  reason: field.optionalText(1_000),
  instead: field.optionalChoice(INSTEAD).meta({ example: "next_in_line" }),
  covering_account_user_id: field.identifier.meta({
    description: "Who is on call instead. Required with `instead: person`, else omitted.",
  }),
  account_user_ids: field.identifiers.optional().meta({
    description: "The people who are asked. Required with `instead: ask` without `event_id`.",
  }),
  event_id: field.identifier.meta({
    description:
      "With `instead: ask`: asks all people of this rotation but the one who is away, as it is now. Not with `account_user_ids`.",
  }),
  in_return: inReturn.meta({
    description:
      "With `instead: ask`: makes it a swap. Any hours in which everybody who is asked is on call, and which the person takes over from whoever accepts.",
  }),
  expires_at: field.optionalInstant.meta({
    description:
      "With `instead: ask`. Default and latest: when the absence, or the hours in return, begin.",
  }),
  meta: field.hash.optional(),
});

const nobodyYet = (value: unknown) => (value == null || value === "" ? "nobody_yet" : value);

export const CreateAbsence = z
  .preprocess(
    field.readTimeAliases,
    parameters.extend({
      instead: z.preprocess(nobodyYet, field.choice(INSTEAD).optional()).meta({
        description: "Who is on call instead. Default: `nobody_yet`.",
        example: "next_in_line",
      }),
    }),
  )
  .meta({ inExample: ["instead", "reason"] });
export type CreateAbsence = z.output<typeof CreateAbsence>;

export const UpdateAbsence = z
  .preprocess(field.readTimeAliases, parameters.partial())
  .meta({ inExample: ["instead", "reason"] });
export type UpdateAbsence = z.output<typeof UpdateAbsence>;
