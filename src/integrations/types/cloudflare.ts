// Cloudflare's notifications. Some say that what they tell of is over (`alert_event`); the others each open an alert of
// their own, or are counted on the one of their `alert_correlation_id`.
import { dataOf, datum } from "../additional-data.ts";
import { type Payload, payloadAt, textAt } from "../payload.ts";
import { sender, unread } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

const LONGEST_TITLE = 70;
const ENDED = "ALERT_STATE_EVENT_END";

export const cloudflare = sender({
  name: "cloudflare",
  title: "Cloudflare notifications",
  description: "A webhook destination of Cloudflare's notifications; its secret is option token.",
  says: ["resolve"],
  authentication: { tokenHeaders: ["cf-webhook-auth"] },
  read: (fields, { options }) => {
    const text = textAt(fields, "text");
    const data = payloadAt(fields, "data");
    if (text === null && textAt(fields, "alert_type") === null) return unread("text");
    const watched = watchedOf(data);
    const isOver = textAt(fields, "alert_event") === ENDED || watched?.isHealthy === true;
    return {
      kind: isOver ? "resolve" : "create",
      thirdpartyId: watched?.id ?? textAt(fields, "alert_correlation_id"),
      title: text === null ? textAt(fields, "name") : firstOf(text),
      description: text,
      urgency: urgencyOfWord(textAt(data, "severity"), options),
      additionalData: [
        ...dataOf(data, "account_name", "zone_name", "dashboard_link"),
        ...dataOf(fields, "alert_type", "account_id", "policy_id"),
        ...datum("ts", textAt(fields, "ts")),
      ],
    };
  },
});

/** A health check or a tunnel: its notifications tell each change of its health, and say nothing of an end. */
function watchedOf(data: Payload): { readonly id: string; readonly isHealthy: boolean } | null {
  const id = textAt(data, "health_check_id") ?? textAt(data, "tunnel_id");
  const health = textAt(data, "status") ?? textAt(data, "new_status");
  if (id === null || health === null) return null;
  return { id, isHealthy: /^(?:tunnel_status_type_)?healthy$/i.test(health) };
}

function firstOf(text: string): string {
  return text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE - 1)}…`;
}
