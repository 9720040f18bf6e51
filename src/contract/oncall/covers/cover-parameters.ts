// The parameters of a cover (contract 2, Covers).
import * as z from "zod";
import { COVERED_BY } from "../../../domain/oncall/absences/cover.ts";
import * as field from "../../shared/parameters.ts";

const person = field.requiredText(64);

const parameters = z.object({
  account_user_id: person,
  start_datetime: field.instant,
  end_datetime: field.instant,
  covered_by: field.choice(COVERED_BY).meta({ example: "next_in_line" }),
  covering_account_user_id: field.identifier.meta({
    description: "Who is on call instead. Required with `covered_by: person`, else omitted.",
  }),
  schedule_ids: field.identifiers.optional(),
  reason: field.optionalText(1_000),
  meta: field.hash.optional(),
});

export const CreateCover = z
  .preprocess(field.readTimeAliases, parameters)
  .meta({ inExample: ["reason"] });
export type CreateCover = z.output<typeof CreateCover>;

export const UpdateCover = z
  .preprocess(field.readTimeAliases, parameters.partial())
  .meta({ inExample: ["reason"] });
export type UpdateCover = z.output<typeof UpdateCover>;
