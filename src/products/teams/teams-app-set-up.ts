// Microsoft Teams: a bot in the organization's tenant. The manifest beside this file names what it may
// do (https://learn.microsoft.com/microsoft-365/extensibility/schema).
import type { SetUp } from "../set-up.ts";
import manifest from "./teams-app-manifest.json" with { type: "json" };

export const teamsApp: SetUp = {
  kind: "outgoing",
  steps: [
    "At https://portal.azure.com, create an Azure Bot of the type single tenant, with the messaging endpoint <ORIGIN>/callbacks/teams/<ID>/messages, and copy its Microsoft app ID and tenant ID into this integration's options app_id and tenant.",
    "Under Manage Password, make a client secret, and copy its value into the option client_secret. Note when it expires.",
    "Under Channels, add Microsoft Teams.",
    "Save the manifest below as manifest.json, with the Microsoft app ID in place of APP_ID, and pack it with the icons color.png (192 pixels) and outline.png (32 pixels) into a zip file.",
    "Upload it in the Teams admin center, under Manage apps, and add the app to the team.",
    "Copy the channel's link, put the part after /channel/ into the option channel, with : for %3A and @ for %40, and send a test message.",
    "Each person links their Teams account once: their first button or command sends them the link. Replies in an alert's thread become comments; without the permission in the manifest, only those that mention the app.",
  ],
  snippets: [{ title: "Manifest", format: "json", text: JSON.stringify(manifest, null, 2) }],
};
