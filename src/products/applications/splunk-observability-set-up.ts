// Splunk Observability Cloud: a webhook integration.
import type { SetUp } from "../set-up.ts";
import sample from "./splunk-observability-sample.json" with { type: "json" };

export const splunkObservability: SetUp = {
  kind: "incoming",
  steps: [
    "In Splunk Observability Cloud, open Data Management, Available integrations, and choose Webhook.",
    "Enter this URL: <URL>",
    "Enter a shared secret, and enter the same in this integration's option shared_secret: requests are then verified.",
    "Add the webhook as an alert recipient of your detectors.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and with the same shared secret, with the standby's URL: <STANDBY_URL>",
  sample,
};
