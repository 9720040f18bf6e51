import type { AnswerAlert } from "./answer-alert.ts";
import { commandAlert } from "./command-alert.ts";

/**
 * Reopens a resolved alert: its escalation starts at the first layer.
 *
 * @returns the alert; 404; 409 unless it is `resolved`, or while another alert has its `Id` or a
 *   dedup key and is not resolved; 503
 */
export const reopenAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "reopen" });
