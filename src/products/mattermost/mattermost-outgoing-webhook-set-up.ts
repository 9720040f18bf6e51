// Mattermost: an outgoing webhook that opens alerts.
import type { SetUp } from "../set-up.ts";
import sample from "./mattermost-outgoing-webhook-sample.json" with { type: "json" };

export const mattermostOutgoingWebhook: SetUp = {
  kind: "incoming",
  steps: [
    "In Mattermost, open Integrations, Outgoing Webhooks, and add one.",
    "Choose the channel and the words that open an alert.",
    "Enter this callback URL: <URL>",
    "Save, and enter the token that Mattermost shows in this integration's option token.",
  ],
  snippets: [],
  standby: "Enter the standby's URL as a second callback URL, on a line of its own: <STANDBY_URL>",
  sample,
};
