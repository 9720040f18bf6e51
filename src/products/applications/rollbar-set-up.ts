// Rollbar: a webhook of a project.
import type { SetUp } from "../set-up.ts";
import sample from "./rollbar-sample.json" with { type: "json" };

export const rollbar: SetUp = {
  kind: "incoming",
  steps: [
    "In Rollbar, open the project's settings, Notifications, Webhook.",
    "Enter this URL and enable the integration: <URL>",
    "Add rules for new, reactivated and resolved items.",
  ],
  snippets: [],
  standby: "Add each rule a second time, with the standby's URL as the rule's own: <STANDBY_URL>",
  sample,
};
