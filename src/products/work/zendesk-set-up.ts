// Zendesk: a webhook that triggers call with a body of placeholders.
import type { SetUp } from "../set-up.ts";
import sample from "./zendesk-sample.json" with { type: "json" };

export const zendesk: SetUp = {
  kind: "incoming",
  steps: [
    "In Zendesk's Admin Center, open Apps and integrations, Webhooks, and create one with POST, JSON and this URL: <URL>",
    "Reveal its signing secret, and enter it in this integration's option signing_secret: requests are then verified.",
    "Create a trigger for new urgent tickets that notifies the webhook with the body below.",
    "Create a second trigger for solved tickets, with resolve instead of create.",
  ],
  snippets: [
    {
      title: "Body of the trigger",
      format: "json",
      text: `{
  "event_type": "create",
  "id": "{{ticket.id}}",
  "title": "{{ticket.title}}",
  "description": "{{ticket.latest_comment}}",
  "priority": "{{ticket.priority}}",
  "link": "{{ticket.link}}"
}`,
    },
  ],
  standby:
    "Zendesk signs the requests of each webhook with a secret of its own, and one can be entered here, so a standby gets none of its events.",
  sample,
};
