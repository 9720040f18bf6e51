// Elastic and Kibana: a webhook connector whose body has Kibana's variables.
import type { SetUp } from "../set-up.ts";
import sample from "./elastic-sample.json" with { type: "json" };

export const elastic: SetUp = {
  kind: "incoming",
  steps: [
    "In Kibana, open Stack Management, Connectors, and create a Webhook connector with the method POST and this URL: <URL>",
    "Add a header service-token with the value <TOKEN>.",
    "Add the connector as an action to your rules, for each alert, with the body below.",
    "Add it a second time for Recovered, with the same body, so that alerts are resolved.",
  ],
  snippets: [
    {
      title: "Body of the action",
      format: "json",
      text: `{
  "rule": {
    "id": "{{rule.id}}",
    "name": "{{rule.name}}",
    "url": "{{rule.url}}",
    "tags": "{{rule.tags}}"
  },
  "alert": { "id": "{{alert.id}}", "actionGroup": "{{alert.actionGroup}}" },
  "reason": "{{context.reason}}",
  "message": "{{context.message}}"
}`,
    },
  ],
  standby:
    "Add a second connector, set up like the first and used by the same actions, with the standby's URL: <STANDBY_URL>",
  sample,
};
