// What becomes of a form that was refused: the same page again with what was written in it, where it can be mended.
import type { Refusal } from "../../domain/shared/refusal.ts";
import type { Reply } from "../page.ts";

/** The status of a page that shows a form, and why its last try was refused. */
export const statusAfter = (refusal: Refusal | null): 200 | 409 | 422 =>
  refusal === null ? 200 : refusal.reason === "conflict" ? 409 : 422;

/** The form again for what can be mended in it; the refusal itself for what cannot. */
export const askAgain = async (
  refusal: Refusal,
  show: (refusal: Refusal) => Reply | Promise<Reply>,
): Promise<Reply> =>
  ["invalid", "conflict", "malformed"].includes(refusal.reason) ? show(refusal) : refusal;
