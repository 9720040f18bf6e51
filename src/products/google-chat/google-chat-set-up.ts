// Google Chat: an incoming webhook of a space.
import type { SetUp } from "../set-up.ts";

export const googleChat: SetUp = {
  kind: "outgoing",
  steps: [
    "In Google Chat, open the space, then Apps & integrations, and add a webhook.",
    "Enter the webhook's URL in this integration's option webhook_url.",
    "Choose which events are sent with the options notify, and send a test message.",
  ],
  snippets: [],
};
