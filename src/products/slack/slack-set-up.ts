// Slack: an incoming webhook of a channel.
import type { SetUp } from "../set-up.ts";

export const slack: SetUp = {
  kind: "outgoing",
  steps: [
    "In Slack, create an app for your workspace and switch on Incoming Webhooks.",
    "Add a webhook to the channel, and enter its URL in this integration's option webhook_url.",
    "Choose which events are sent, and send a test message.",
  ],
  snippets: [],
};
