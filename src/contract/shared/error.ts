// What every refusal answers (specification, Errors).
import * as z from "zod";
import { integer, listOf, text } from "./fields.ts";

export const ErrorMessage = z.object({
  message: text("What is wrong, in words.", "title can't be blank"),
  field: text("The parameter at fault.", "title").optional(),
});
export type ErrorMessage = z.output<typeof ErrorMessage>;

export const Refused = z.object({
  errors: listOf(ErrorMessage, "All that is wrong, at once."),
  code: integer("The HTTP status.", 422),
  request_id: text("Quote it when you ask about the request."),
});
export type Refused = z.output<typeof Refused>;
