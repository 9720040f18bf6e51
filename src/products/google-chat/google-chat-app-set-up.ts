// Google Chat: an app in the organization's Google Workspace.
import type { SetUp } from "../set-up.ts";

export const googleChatApp: SetUp = {
  kind: "outgoing",
  steps: [
    "At https://console.cloud.google.com, create a project in your Google Workspace organization, enable the Google Chat API, and copy the project's number into this integration's option project_number.",
    "Under IAM & Admin, Service Accounts, create a service account without any role, add a JSON key to it, and paste the whole file into the option service_account.",
    "In the Google Chat API, under Configuration, turn off Build this Chat app as a Workspace add-on, enter a name, an avatar URL and a description, and turn on interactive features, and joining spaces.",
    "Choose HTTP endpoint URL, enter <ORIGIN>/callbacks/google-chat/<ID>/events, and choose Project number as the authentication audience.",
    "Add the slash commands /oncall with the ID 1 and /page with the ID 2, and make the app available to the people or groups who need it.",
    "Add the app to the space, copy spaces/ and the ID at the end of the space's URL into the option space, and send a test message.",
    "Each person links their Google account once: their first button or command shows the link. A reply in an alert's thread becomes a comment if it mentions the app.",
  ],
  snippets: [],
};
