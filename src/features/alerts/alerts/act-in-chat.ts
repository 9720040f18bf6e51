// What a person does to an alert in a chat: the same verbs as everywhere, as that person.
import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import type { ChatAction } from "../../../products/outgoing/chat-request.ts";
import type { Context } from "../../change/context.ts";
import type { Alert } from "./contract.ts";
import { handOffAlert } from "./hand-off-alert.ts";
import { snoozeAlert } from "./snooze-alert.ts";
import { acknowledgeAlert, rejectAlert, resolveAlert } from "./verbs.ts";

/**
 * Performs an action on an alert as the actor.
 *
 * @param alertId the ULID of the alert
 * @returns the alert, or why it is refused, as the verb does
 */
export function actInChat(
  context: Context<PersonActor>,
  alertId: string,
  action: ChatAction,
): Promise<Alert | Refusal> {
  const alert = { form: "id", value: alertId } as const;
  switch (action.kind) {
    case "acknowledge":
      return acknowledgeAlert(context, alert);
    case "reject":
      return rejectAlert(context, alert);
    case "resolve":
      return resolveAlert(context, alert);
    case "snooze":
      return snoozeAlert(context, alert, { until: context.now + action.minutes * MINUTE });
    case "hand_off": {
      const { destinationId } = action;
      const destinations = destinationId.startsWith("tem_")
        ? { destination_team_ids: [destinationId] }
        : { destination_account_user_ids: [destinationId] };
      return handOffAlert(context, alert, { ...destinations, note: null });
    }
  }
}
