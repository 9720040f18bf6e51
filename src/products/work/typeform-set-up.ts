// Typeform: a webhook of a form.
import type { SetUp } from "../set-up.ts";
import sample from "./typeform-sample.json" with { type: "json" };

export const typeform: SetUp = {
  kind: "incoming",
  steps: [
    "In Typeform, open the form's Connect page, then Webhooks, and add this URL: <URL>",
    "Enter a secret, and enter the same in this integration's option webhook_secret: requests are then verified.",
    "Switch the webhook on.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and with the same secret, with the standby's URL: <STANDBY_URL>",
  sample,
};
