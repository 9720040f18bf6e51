// UptimeRobot: a web-hook alert contact, whose URL is followed by its variables.
import type { SetUp } from "../set-up.ts";
import sample from "./uptimerobot-sample.json" with { type: "json" };

export const uptimerobot: SetUp = {
  kind: "incoming",
  steps: [
    "In UptimeRobot, open Integrations and add a Webhook.",
    "Enter this URL to notify, with the question mark at its end: <URL>/g?",
    "This integration has a token, so enter this one instead: <URL>/g?token=<TOKEN>&",
    "Choose the events for up and down, and assign the contact to your monitors.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first; before /g? it has the standby's URL: <STANDBY_URL>",
  sample,
};
