// Redisplays a form that was refused, with what was entered, if it can be corrected.
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { Reply } from "../page.ts";

/** The status of a page that redisplays a form after a refusal. */
export const statusAfter = (refusal: Refusal | null): 200 | 409 | 422 =>
  refusal === null ? 200 : refusal.reason === "conflict" ? 409 : 422;

/** Redisplays the form for errors that can be corrected in it; else returns the refusal. */
export const askAgain = async (
  refusal: Refusal,
  show: (refusal: Refusal) => Reply | Promise<Reply>,
): Promise<Reply> =>
  ["invalid", "conflict", "malformed"].includes(refusal.reason) ? show(refusal) : refusal;
