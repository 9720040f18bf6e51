import type { AnswerAlert } from "./answer-alert.ts";
import { commandAlert } from "./command-alert.ts";

/**
 * Takes back the actor's latest answer to an alert, within a minute.
 *
 * @returns the alert; 404; 409 if the answer cannot be undone (any more); 503
 */
export const undoAnswer: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "undo" });
