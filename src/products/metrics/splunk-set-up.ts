// Splunk Enterprise and Splunk Cloud: the webhook alert action.
import type { SetUp } from "../set-up.ts";
import sample from "./splunk-sample.json" with { type: "json" };

export const splunk: SetUp = {
  kind: "incoming",
  steps: [
    "In Splunk, open the alert's actions and add Webhook with this URL: <URL>",
    "Or add the lines below to its stanza in savedsearches.conf.",
    "Splunk sends no recovery: set option auto_resolve_after if alerts should end by themselves.",
  ],
  snippets: [
    {
      title: "savedsearches.conf",
      format: "text",
      text: `action.webhook = 1
action.webhook.param.url = <URL>`,
    },
  ],
  standby: "An alert has one webhook: clone the alert, with the standby's URL: <STANDBY_URL>",
  sample,
};
