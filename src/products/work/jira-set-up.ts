// Jira: a webhook for issues.
import type { SetUp } from "../set-up.ts";
import sample from "./jira-sample.json" with { type: "json" };

export const jira: SetUp = {
  kind: "incoming",
  steps: [
    "In Jira, open Settings, System, WebHooks, and create one with this URL: <URL>",
    "Limit it by JQL to the issues that should open alerts.",
    "Choose created, updated and deleted issues.",
    "Enter a secret, and enter the same in this integration's option webhook_secret: requests are then verified.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and with the same secret, with the standby's URL: <STANDBY_URL>",
  sample,
};
