// Mattermost: a bot account and slash commands.
import type { SetUp } from "../set-up.ts";

export const mattermostApp: SetUp = {
  kind: "outgoing",
  steps: [
    "In Mattermost, open Integrations, Bot Accounts, add a bot, and copy its access token into this integration's option bot_token. An administrator may have to enable bot accounts first.",
    "Add the bot to the team and to the channel, and copy the channel's ID (View Info) into the option channel.",
    "Under Integrations, Slash Commands, add the commands oncall and page, each with the request URL <ORIGIN>/callbacks/mattermost/<ID>/commands and the method POST.",
    "Copy the tokens of both commands into the option command_tokens, with a space between them, and send a test message.",
    "Further integrations of this account can use the same bot for other channels: enter the same token in each.",
    "Each person links their Mattermost account once: their first button or command shows the link.",
  ],
  snippets: [],
};
