// Datadog: a webhook with a payload of its variables.
import type { SetUp } from "../set-up.ts";
import sample from "./datadog-sample.json" with { type: "json" };

export const datadog: SetUp = {
  kind: "incoming",
  steps: [
    "In Datadog, open Integrations, Webhooks, and add a webhook named tocsin with this URL: <URL>",
    "Enter the payload below.",
    'If you use a custom header, enter {"service-token": "<TOKEN>"}.',
    "Mention @webhook-tocsin in the message of your monitors, also in the part for recovery.",
  ],
  snippets: [
    {
      title: "Payload",
      format: "json",
      text: `{
  "ID": "$ID",
  "ALERT_ID": "$ALERT_ID",
  "ALERT_CYCLE_KEY": "$ALERT_CYCLE_KEY",
  "ALERT_SCOPE": "$ALERT_SCOPE",
  "AGGREG_KEY": "$AGGREG_KEY",
  "ALERT_TITLE": "$ALERT_TITLE",
  "ALERT_TRANSITION": "$ALERT_TRANSITION",
  "ALERT_STATUS": "$ALERT_STATUS",
  "ALERT_PRIORITY": "$ALERT_PRIORITY",
  "EVENT_TITLE": "$EVENT_TITLE",
  "EVENT_TYPE": "$EVENT_TYPE",
  "PRIORITY": "$PRIORITY",
  "TAGS": "$TAGS",
  "LINK": "$LINK"
}`,
    },
  ],
  standby:
    "Add a second webhook named tocsin-standby, and mention @webhook-tocsin-standby beside the first; its URL is the standby's: <STANDBY_URL>",
  sample,
};
