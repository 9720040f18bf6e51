// Hyperping: a webhook.
import type { SetUp } from "../set-up.ts";
import sample from "./hyperping-sample.json" with { type: "json" };

export const hyperping: SetUp = {
  kind: "incoming",
  steps: [
    "In Hyperping, open the project's integrations and add a webhook.",
    "Enter this URL: <URL>",
    "Choose the webhook in your monitors.",
  ],
  snippets: [],
  standby: "Hyperping has one webhook for a project, so a standby gets none of its events.",
  sample,
};
