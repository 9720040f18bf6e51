// AppDynamics: an HTTP request template for the start of a violation, and one for its end.
import type { SetUp } from "../set-up.ts";
import sample from "./appdynamics-sample.json" with { type: "json" };

export const appdynamics: SetUp = {
  kind: "incoming",
  steps: [
    "In AppDynamics, open Alert & Respond, HTTP Request Templates, and create a template with the method POST and this URL: <URL>",
    "Choose application/json as the payload's MIME type and enter the payload below.",
    "Copy the template, with resolve instead of trigger, for the events that end a violation.",
    "Add both templates as actions to your policies: the first to started violations, the second to ended ones.",
  ],
  snippets: [
    {
      title: "Payload of the template",
      format: "json",
      text: `{
  "event_type": "trigger",
  "incident_key": "\${latestEvent.healthRule.name} - \${latestEvent.application.name}",
  "description": "\${latestEvent.displayName} on \${latestEvent.node.name}",
  "details": {
    "event_name": "\${latestEvent.displayName}",
    "summary": "\${latestEvent.summaryMessage}",
    "severity": "\${latestEvent.severity}",
    "application_name": "\${latestEvent.application.name}",
    "node_name": "\${latestEvent.node.name}"
  },
  "client_url": "\${controllerUrl}"
}`,
    },
  ],
  standby:
    "Create both templates a second time, with the standby's URL, and add them to the same policies: <STANDBY_URL>",
  sample,
};
