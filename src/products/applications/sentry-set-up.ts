// Sentry: an internal integration with a webhook.
import type { SetUp } from "../set-up.ts";
import sample from "./sentry-sample.json" with { type: "json" };

export const sentry: SetUp = {
  kind: "incoming",
  steps: [
    "In Sentry, open Settings, Developer Settings, Custom Integrations, and create an internal integration.",
    "Enter this webhook URL, and switch on Alert Rule Action: <URL>",
    "Give it read access to issues and events, and choose the webhook for issues.",
    "Save, copy the client secret, and enter it in this integration's option client_secret: requests are then verified.",
    "Choose the integration as an action of your alert rules.",
  ],
  snippets: [],
  standby:
    "Sentry signs the requests of each integration with a secret of its own, and one can be entered here, so a standby gets none of its events.",
  sample,
};
