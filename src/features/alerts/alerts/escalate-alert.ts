import type { AnswerAlert } from "./answer-alert.ts";
import { commandAlert } from "./command-alert.ts";

/**
 * Escalates an alert: each open workflow goes to its next layer now.
 *
 * @returns the alert; 404; 409 unless it is `open`, or if nobody is left to escalate to; 503
 */
export const escalateAlert: AnswerAlert = (context, identifier) =>
  commandAlert(context, identifier, { type: "escalate" });
