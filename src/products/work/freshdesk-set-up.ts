// Freshdesk and Freshservice: the webhook action of an automation.
import type { SetUp } from "../set-up.ts";
import sample from "./freshdesk-sample.json" with { type: "json" };

export const freshdesk: SetUp = {
  kind: "incoming",
  steps: [
    "In Freshdesk, open Admin, Automations, and add a rule for created tickets and one for updated tickets.",
    "Add the action Trigger webhook with POST and this URL: <URL>",
    "Choose JSON and simple content: ticket ID, status, subject, description, priority and public URL.",
  ],
  snippets: [],
  standby: "Add both rules a second time, with the standby's URL: <STANDBY_URL>",
  sample,
};
