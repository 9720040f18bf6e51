// Discord: an app with a bot and two commands.
import type { SetUp } from "../set-up.ts";

const COMMANDS = [
  {
    name: "oncall",
    description: "Who is on call",
    options: [{ type: 3, name: "team", description: "A part of its name" }],
  },
  {
    name: "page",
    description: "Create an alert",
    options: [
      { type: 3, name: "to", description: "A team or person", required: true },
      { type: 3, name: "title", description: "What is the matter", required: true },
    ],
  },
];

export const discordApp: SetUp = {
  kind: "outgoing",
  steps: [
    "At https://discord.com/developers/applications, create an application, and copy its public key into this integration's option public_key.",
    "Under Bot, reset the token and copy it into the option bot_token.",
    "Under General Information, enter the interactions endpoint URL <ORIGIN>/callbacks/discord/<ID>/interactions, which Discord then verifies.",
    "Under Installation, choose Guild Install with the scopes bot and applications.commands and the permissions Send Messages, Embed Links, Create Public Threads and Send Messages in Threads, and open the install link.",
    "In Discord, copy the channel's ID (developer mode) into the option channel, and send a test message.",
    "Register the commands once with the request below, with the application's ID and the bot's token.",
    "Each person links their Discord account once: their first button or command shows the link.",
  ],
  snippets: [
    {
      title: "Commands",
      format: "shell",
      text: `curl -X PUT https://discord.com/api/v10/applications/APPLICATION_ID/commands -H "Authorization: Bot BOT_TOKEN" -H "Content-Type: application/json" -d '${JSON.stringify(COMMANDS)}'`,
    },
  ],
};
