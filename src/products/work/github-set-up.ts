// GitHub: a webhook of a repository or an organization.
import type { SetUp } from "../set-up.ts";
import sample from "./github-sample.json" with { type: "json" };

export const github: SetUp = {
  kind: "incoming",
  steps: [
    "Open the settings of the repository or organization, then Webhooks, and add one with this URL: <URL>",
    "Choose application/json as the content type.",
    "Enter a secret, and enter the same in this integration's option webhook_secret: requests are then verified.",
    "Choose the events: workflow runs, deployment statuses, and alerts of Dependabot, code scanning and secret scanning.",
  ],
  snippets: [
    {
      title: "Create the webhook",
      format: "shell",
      text: `gh api repos/OWNER/REPOSITORY/hooks \\
  -f name=web \\
  -f 'config[url]=<URL>' \\
  -f 'config[content_type]=json' \\
  -f 'events[]=workflow_run' \\
  -f 'events[]=deployment_status'`,
    },
  ],
  standby:
    "Add a second webhook, set up like the first and with the same secret, with the standby's URL: <STANDBY_URL>",
  sample,
};
