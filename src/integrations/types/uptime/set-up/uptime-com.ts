// Uptime.com: a webhook of a contact.
import type { SetUp } from "../../../set-up/set-up.ts";
import sample from "../samples/uptime-com.json" with { type: "json" };

export const uptimeCom: SetUp = {
  kind: "incoming",
  steps: [
    "In Uptime.com, open Notifications, Integrations, and add a custom postback with this URL: <URL>",
    "Add the integration to a contact, and choose the contact in your checks.",
  ],
  snippets: [],
  sample,
};
