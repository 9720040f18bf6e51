// New Relic: a webhook destination of a workflow.
import type { SetUp } from "../set-up.ts";
import sample from "./new-relic-sample.json" with { type: "json" };

export const newRelic: SetUp = {
  kind: "incoming",
  steps: [
    "In New Relic, open Alerts, Destinations, and add a Webhook with this URL: <URL>",
    "Choose bearer authentication with the token <TOKEN>.",
    "Open Workflows, add or edit a workflow, and choose the webhook as a channel.",
    "Keep the default payload: it has the id, state, title and priority of the issue.",
    "Notify when an issue is activated, acknowledged and closed.",
  ],
  snippets: [],
  standby:
    "Add a second destination, set up like the first and chosen as a second channel of the same workflows, with the standby's URL: <STANDBY_URL>",
  sample,
};
