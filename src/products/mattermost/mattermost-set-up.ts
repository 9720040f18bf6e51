// Mattermost: an incoming webhook of a channel.
import type { SetUp } from "../set-up.ts";

export const mattermost: SetUp = {
  kind: "outgoing",
  steps: [
    "In Mattermost, open Integrations, Incoming Webhooks, and add one for the channel.",
    "Enter the webhook's URL in this integration's option webhook_url.",
    "Choose which events are sent, and send a test message.",
  ],
  snippets: [],
};
