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
      urgency: urgencyOfWord(
        textAt(data, "severity") ?? textAt(data, "alert_priority_level"),
        options,
      ),
      additionalData: [
        ...dataOf(data, "account_name", "zone_name", "dashboard_link"),
        ...dataOf(fields, "alert_type", "account_id", "policy_id"),
        ...datum("ts", textAt(fields, "ts")),
      ],
    };
  },
});

/** What tells its state, the first that is there: each kind of notification has its own word for it. */
const STATES = ["new_status", "new_health_status", "status", "new_health", "incident_status"];

/** `Healthy`, `TUNNEL_STATUS_TYPE_HEALTHY`, `MAGIC_TUNNEL_STATUS_UP`, `NORMAL`, `INCIDENT_STATUS_RESOLVED`. */
const WELL = /(?:^|_)(?:healthy|up|normal|resolved)$/i;

/** What is watched all the time: its notifications tell each change of its state, and say nothing of an end. */
function watchedOf(data: Payload): { readonly id: string; readonly isHealthy: boolean } | null {
  const id =
    textAt(data, "health_check_id") ??
    textAt(data, "tunnel_id") ??
    textAt(data, "incident_id") ??
    textAt(data, "episode", "id") ??
    poolOf(data);
  const [state = null] = STATES.map((key) => textAt(data, key)).filter((text) => text !== null);
  return id === null || state === null ? null : { id, isHealthy: WELL.test(state) };
}

/** A load balancer's pool, or one of the origins in it. */
function poolOf(data: Payload): string | null {
  const id = textAt(data, "pool_id");
  const origin = textAt(data, "event_source") === "origin" ? textAt(data, "origin_name") : null;
  return id !== null && origin !== null ? `${id} ${origin}` : id;
}

function firstOf(text: string): string {
  return text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE - 1)}…`;
}
