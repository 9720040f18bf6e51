// The outgoing webhook: events are posted to any URL.
import type { SetUp } from "../set-up.ts";

export const outgoingWebhook: SetUp = {
  kind: "outgoing",
  steps: [
    "Enter the URL that receives the events in option webhook_url.",
    "Generate a signing secret, and verify the requests by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.",
    "Answer with a 2xx status. Anything else is retried for a day.",
  ],
  snippets: [],
};
