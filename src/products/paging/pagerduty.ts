// Keeps PagerDuty, or another service with its Events API v2, in sync: triggers, acknowledges and
// resolves by the alert's id.
import type { AlertPayload } from "../../domain/integrations/announcement.ts";
import type { Outgoing, OutgoingMessage } from "../integration-type.ts";
import { truncateText } from "../outgoing/message-text.ts";
import { createOutgoingType, isMessageRejected, SYNC_EVENTS } from "../outgoing/outgoing-type.ts";

const ACTIONS: Readonly<Record<string, "trigger" | "acknowledge" | "resolve">> = {
  "alert.open": "trigger",
  // If nobody was on call, a dropped alert was never open.
  "alert.dropped": "trigger",
  "alert.acknowledged": "acknowledge",
  "alert.resolved": "resolve",
  "alert.destroyed": "resolve",
  "integration.test": "trigger",
};

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: "critical",
  high: "error",
  medium: "warning",
};

const DEFAULT_URL = "https://events.pagerduty.com/v2/enqueue";

const announce: Outgoing["announce"] = (message, options, secrets) => {
  const action = ACTIONS[message.event];
  const { payload } = message;
  if (action === undefined || (payload.about !== "alert" && payload.about !== "test")) return null;
  const key = payload.about === "alert" ? String(payload.alert.id) : `test:${message.at}`;
  const body = {
    routing_key: secrets.routing_key ?? "",
    event_action: action,
    dedup_key: key,
    client: "Tocsin",
    ...(message.url !== null && { client_url: message.url }),
    ...(action === "trigger" && {
      payload:
        payload.about === "alert"
          ? payloadOf(message, payload)
          : { summary: `Test of ${payload.name}`, source: "Tocsin", severity: "info" },
    }),
  };
  const { events_url: url } = options;
  return { url: typeof url === "string" ? url : DEFAULT_URL, body };
};

function payloadOf({ at }: OutgoingMessage, { alert, sourceName, destinations }: AlertPayload) {
  return {
    summary: truncateText(String(alert.title), 1_024),
    source: truncateText(sourceName, 255) || "Tocsin",
    severity: SEVERITIES[String(alert.urgency)] ?? "info",
    timestamp: new Date(at).toISOString(),
    custom_details: {
      description: alert.description,
      urgency: alert.urgency,
      tags: alert.tags,
      destinations,
      alert_id: alert.id,
    },
  };
}

export const pagerduty = createOutgoingType({
  name: "pagerduty",
  title: "PagerDuty",
  description:
    "Notifies PagerDuty, or another service with its Events API v2, of opened, acknowledged and resolved alerts.",
  options: [
    {
      key: "routing_key",
      type: "secret",
      required: true,
      default: null,
      help: "The integration key of the PagerDuty service.",
    },
    {
      key: "events_url",
      type: "string",
      required: false,
      default: DEFAULT_URL,
      help: "The URL that receives the events.",
    },
  ],
  outgoing: {
    events: SYNC_EVENTS,
    addressOption: "events_url",
    signs: false,
    announce,
    refuses: isMessageRejected,
  },
});
