// PagerDuty, or whatever else takes its Events API v2, in step with the alerts here: opened, acknowledged and resolved
// there by the alert's id.
import type { SaidOfAlert } from "../../domain/announcement.ts";
import type { Outgoing, Told } from "../integration-type.ts";
import { EVENTS_IN_STEP, isFaultOfMessage, outgoingType } from "../outgoing.ts";
import { shortened } from "../outgoing-words.ts";

const ACTIONS: Readonly<Record<string, "trigger" | "acknowledge" | "resolve">> = {
  "alert.open": "trigger",
  // Nobody was on call: it was never open.
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

const announce: Outgoing["announce"] = (told, options, secrets) => {
  const action = ACTIONS[told.event];
  const { said } = told;
  if (action === undefined || (said.about !== "alert" && said.about !== "test")) return null;
  const key = said.about === "alert" ? String(said.alert.id) : `test:${told.at}`;
  const body = {
    routing_key: secrets.routing_key ?? "",
    event_action: action,
    dedup_key: key,
    client: "Tocsin",
    ...(told.url !== null && { client_url: told.url }),
    ...(action === "trigger" && {
      payload:
        said.about === "alert"
          ? payloadOf(told, said)
          : { summary: `Test of ${said.name}`, source: "Tocsin", severity: "info" },
    }),
  };
  const { events_url: url } = options;
  return { url: typeof url === "string" ? url : DEFAULT_URL, body };
};

function payloadOf({ at }: Told, { alert, sourceName, destinations }: SaidOfAlert) {
  return {
    summary: shortened(String(alert.title), 1_024),
    source: shortened(sourceName, 255) || "Tocsin",
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

export const pagerduty = outgoingType({
  name: "pagerduty",
  title: "PagerDuty",
  description:
    "Notifies PagerDuty, or another service with its Events API v2, of opened, acknowledged and resolved alerts. " +
    "The alert's ID is the dedup_key.",
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
    events: EVENTS_IN_STEP,
    addressOption: "events_url",
    signs: false,
    announce,
    refuses: isFaultOfMessage,
  },
});
