// Slack: an outgoing webhook that opens alerts.
import type { SetUp } from "../set-up.ts";
import sample from "./slack-outgoing-webhook-sample.json" with { type: "json" };

export const slackOutgoingWebhook: SetUp = {
  kind: "incoming",
  steps: [
    "In Slack's app directory, add Outgoing WebHooks to your workspace.",
    "Choose the channel and the words that open an alert.",
    "Enter this URL: <URL>",
    "Copy the token that Slack shows into this integration's option token, and save in Slack.",
  ],
  snippets: [],
  standby: "Enter the standby's URL as a second URL, on a line of its own: <STANDBY_URL>",
  sample,
};
