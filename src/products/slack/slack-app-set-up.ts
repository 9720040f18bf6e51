// Slack: an app in the account's workspace. The manifest beside this file names what it may do
// (https://docs.slack.dev/reference/app-manifest).
import type { SetUp } from "../set-up.ts";
import manifest from "./slack-app-manifest.json" with { type: "json" };

export const slackApp: SetUp = {
  kind: "outgoing",
  steps: [
    "At https://api.slack.com/apps, create an app from a manifest in your workspace, and paste the manifest below as JSON.",
    "Under Basic Information, copy the signing secret into this integration's option signing_secret.",
    "Under OAuth & Permissions, install the app, and copy the bot user OAuth token into the option bot_token.",
    "Under Event Subscriptions, verify the request URL: <ORIGIN>/callbacks/slack/<ID>/events",
    "Invite the app to the channel with /invite, so that replies in threads become comments, and send a test message.",
    "Further integrations of this account can use the same app for other channels of the workspace: enter the same token in each.",
    "Each person links their Slack account once: their first button or command shows the link.",
  ],
  snippets: [{ title: "Manifest", format: "json", text: JSON.stringify(manifest, null, 2) }],
};
