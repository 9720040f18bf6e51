// Cronitor: a webhook of a notification list.
import type { SetUp } from "../set-up.ts";
import sample from "./cronitor-sample.json" with { type: "json" };

export const cronitor: SetUp = {
  kind: "incoming",
  steps: [
    "In Cronitor, open Settings, Integrations, and add a webhook with this URL: <URL>",
    "Add the webhook to the notification lists of your monitors.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and added to the same notification lists, with the standby's URL: <STANDBY_URL>",
  sample,
};
