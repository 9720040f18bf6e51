// The body of every error response (contract 1, Errors).
import * as z from "zod";
import { integer, listOf, text } from "./fields.ts";

export const ErrorMessage = z.object({
  message: text("The error message.", "title can't be blank"),
  field: text("The invalid parameter.", "title").optional(),
});
export type ErrorMessage = z.output<typeof ErrorMessage>;

export const Refused = z.object({
  errors: listOf(ErrorMessage, "All errors of the request."),
  code: integer("The HTTP status.", 422),
  request_id: text("The request's identifier. Include it when you report a problem."),
});
export type Refused = z.output<typeof Refused>;
