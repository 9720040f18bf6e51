// Cloudflare's notifications. Some report their end (`alert_event`). The others create an alert
// each, or are counted on the alert with their `alert_correlation_id`.
import { dataOf, datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, missingField } from "../sender-type.ts";

const MAX_TITLE = 70;
const END_EVENT = "ALERT_STATE_EVENT_END";

export const cloudflare = createSenderType({
  name: "cloudflare",
  title: "Cloudflare notifications",
  description: "A webhook destination of Cloudflare's notifications.",
  says: ["resolve"],
  authentication: { tokenHeaders: ["cf-webhook-auth"] },
  read: (fields, { options }) => {
    const text = textAt(fields, "text");
    const data = payloadAt(fields, "data");
    if (text === null && textAt(fields, "alert_type") === null) return missingField("text");
    const monitor = monitorOf(data);
    const isOver = textAt(fields, "alert_event") === END_EVENT || monitor?.isHealthy === true;
    return {
      kind: isOver ? "resolve" : "create",
      thirdpartyId: monitor?.id ?? textAt(fields, "alert_correlation_id"),
      title: text === null ? textAt(fields, "name") : truncateTitle(text),
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

/** Fields with the state, by precedence; each kind of notification has its own. */
const STATES = ["new_status", "new_health_status", "status", "new_health", "incident_status"];

/**
 * States such as `Healthy`, `TUNNEL_STATUS_TYPE_HEALTHY`, `MAGIC_TUNNEL_STATUS_UP`, `NORMAL`,
 * `INCIDENT_STATUS_RESOLVED`.
 */
const HEALTHY = /(?:^|_)(?:healthy|up|normal|resolved)$/i;

/**
 * A continuously monitored resource and its state. Its notifications report state changes and have
 * no end.
 */
function monitorOf(data: Payload): { readonly id: string; readonly isHealthy: boolean } | null {
  const id =
    textAt(data, "health_check_id") ??
    textAt(data, "tunnel_id") ??
    textAt(data, "incident_id") ??
    textAt(data, "episode", "id") ??
    poolOf(data);
  const [state = null] = STATES.map((key) => textAt(data, key)).filter((text) => text !== null);
  return id === null || state === null ? null : { id, isHealthy: HEALTHY.test(state) };
}

/** The id of a load balancer's pool, or of an origin in it. */
function poolOf(data: Payload): string | null {
  const id = textAt(data, "pool_id");
  const origin = textAt(data, "event_source") === "origin" ? textAt(data, "origin_name") : null;
  return id !== null && origin !== null ? `${id} ${origin}` : id;
}

function truncateTitle(text: string): string {
  return text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE - 1)}…`;
}
