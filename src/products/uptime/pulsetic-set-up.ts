// Pulsetic: a webhook.
import type { SetUp } from "../set-up.ts";
import sample from "./pulsetic-sample.json" with { type: "json" };

export const pulsetic: SetUp = {
  kind: "incoming",
  steps: [
    "In Pulsetic, open the integrations and add a webhook.",
    "Enter this URL: <URL>",
    "Choose the webhook in your monitors.",
  ],
  snippets: [],
  standby:
    "Where Pulsetic takes a second webhook, add one with the standby's URL, and choose it in the same monitors: <STANDBY_URL>",
  sample,
};
