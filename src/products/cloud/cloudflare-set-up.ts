// Cloudflare: a webhook destination of notifications; its secret is the integration's token.
import type { SetUp } from "../set-up.ts";
import sample from "./cloudflare-sample.json" with { type: "json" };

export const cloudflare: SetUp = {
  kind: "incoming",
  steps: [
    "In Cloudflare, open Notifications, Destinations, and create a webhook with this URL: <URL>",
    "Enter <TOKEN> as the secret.",
    "Save and test the webhook, then choose it in your notifications.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and chosen in the same notifications, with the standby's URL: <STANDBY_URL>",
  sample,
};
