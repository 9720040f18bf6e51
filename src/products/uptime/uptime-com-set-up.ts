// Uptime.com: a webhook of a contact.
import type { SetUp } from "../set-up.ts";
import sample from "./uptime-com-sample.json" with { type: "json" };

export const uptimeCom: SetUp = {
  kind: "incoming",
  steps: [
    "In Uptime.com, open Notifications, Integrations, and add a custom postback with this URL: <URL>",
    "Add the integration to a contact, and choose the contact in your checks.",
  ],
  snippets: [],
  standby:
    "Add a second custom postback, set up like the first and added to the same contact, with the standby's URL: <STANDBY_URL>",
  sample,
};
