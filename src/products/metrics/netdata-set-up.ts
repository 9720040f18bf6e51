// Netdata Cloud: a webhook notification configuration.
import type { SetUp } from "../set-up.ts";
import sample from "./netdata-sample.json" with { type: "json" };

export const netdata: SetUp = {
  kind: "incoming",
  steps: [
    "In Netdata Cloud, open the space's settings, Alerts & Notifications, and add a Webhook configuration.",
    "Enter this URL: <URL>",
    "Choose bearer authentication with the token <TOKEN>.",
    "Choose the rooms and which alerts to send, then send Netdata's test.",
  ],
  snippets: [],
  standby:
    "Add a second webhook configuration, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
