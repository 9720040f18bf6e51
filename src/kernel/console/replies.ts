// What an action responds with: a redirect with its result, or the form again, with what was
// entered, if it can be corrected.
import type { Refusal } from "../../domain/shared/refusal.ts";
import { faultText } from "./labels.ts";
import type { Reply } from "./reply.ts";

/** Redirects after a successful action. */
export const done = (to: string, text: string): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "good", text },
});

/** Redirects after an answer to an alert, with a button that undoes it. */
export const answered = (to: string, text: string, undo: string): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "good", text, undo },
});

/** Redirects after a refused action, with the reason. */
export const notDone = (to: string, refusal: Refusal): Reply => ({
  kind: "goto",
  to,
  flash: { tone: "bad", text: refusalText(refusal) },
});

/** A refusal's messages as one text: "Title can't be blank. Urgency must be one of …." */
export const refusalText = (refusal: Refusal): string =>
  refusal.errors.map((error) => faultText(error)).join(" ");

/** The status of a page that redisplays a form after a refusal. */
export const statusAfter = (refusal: Refusal | null): 200 | 409 | 422 =>
  refusal === null || refusal.errors.length === 0 ? 200 : refusal.reason === "conflict" ? 409 : 422;

/** Redisplays the form for errors that can be corrected in it; else returns the refusal. */
export const redisplayForm = async (
  refusal: Refusal,
  show: (refusal: Refusal) => Reply | Promise<Reply>,
): Promise<Reply> =>
  ["invalid", "conflict", "malformed"].includes(refusal.reason) ? show(refusal) : refusal;
