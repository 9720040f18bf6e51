// Dead Man's Snitch: a webhook integration.
import type { SetUp } from "../set-up.ts";
import sample from "./dead-mans-snitch-sample.json" with { type: "json" };

export const deadMansSnitch: SetUp = {
  kind: "incoming",
  steps: [
    "In Dead Man's Snitch, open Integrations and add a webhook.",
    "Enter this URL: <URL>",
    "Choose the events missing, errored and reporting.",
  ],
  snippets: [],
  standby: "Add a second webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
