// Instana: an alert channel of the type Generic Webhook.
import type { SetUp } from "../set-up.ts";
import sample from "./instana-sample.json" with { type: "json" };

export const instana: SetUp = {
  kind: "incoming",
  steps: [
    "In Instana, open Settings, Alert Channels, and add a Generic Webhook.",
    "Enter this URL: <URL>",
    "Add the header service-token: <TOKEN>",
    "Use Test Channel, save, and add the channel to your alerts.",
  ],
  snippets: [],
  standby:
    "Add a second alert channel, set up like the first and added to the same alerts, with the standby's URL: <STANDBY_URL>",
  sample,
};
