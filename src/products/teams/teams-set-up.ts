// Microsoft Teams: a workflow that posts to a channel.
import type { SetUp } from "../set-up.ts";

export const teams: SetUp = {
  kind: "outgoing",
  steps: [
    "In Teams, open the channel's menu, Workflows, and choose the template that posts to a channel when a webhook request is received.",
    "Save the workflow and copy its URL into this integration's option webhook_url.",
    "Choose which events are sent, and send a test message.",
  ],
  snippets: [],
};
