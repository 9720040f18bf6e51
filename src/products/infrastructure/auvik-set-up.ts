// Auvik: a webhook notification channel.
import type { SetUp } from "../set-up.ts";
import sample from "./auvik-sample.json" with { type: "json" };

export const auvik: SetUp = {
  kind: "incoming",
  steps: [
    "In Auvik, open the notification channels and add a webhook.",
    "Enter this URL: <URL>",
    "Choose the channel in your alerts, also for cleared alerts.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and chosen in the same alerts, with the standby's URL: <STANDBY_URL>",
  sample,
};
