// Healthchecks: its PagerTree notification with the integration's URL.
import type { SetUp } from "../set-up.ts";
import sample from "./healthchecks-sample.json" with { type: "json" };

export const healthchecks: SetUp = {
  kind: "incoming",
  steps: [
    "In Healthchecks, open Integrations and add PagerTree.",
    "Enter this URL as the integration's URL: <URL>",
    "Assign the integration to your checks.",
  ],
  snippets: [],
  standby:
    "Add a second integration, set up like the first and assigned to the same checks, with the standby's URL: <STANDBY_URL>",
  sample,
};
