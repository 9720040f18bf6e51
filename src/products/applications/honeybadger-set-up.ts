// Honeybadger: a webhook of a project; its token is sent in a header.
import type { SetUp } from "../set-up.ts";
import sample from "./honeybadger-sample.json" with { type: "json" };

export const honeybadger: SetUp = {
  kind: "incoming",
  steps: [
    "In Honeybadger, open the project's settings, then Alerts & Integrations, and add a WebHook.",
    "Enter this URL: <URL>",
    "Enter <TOKEN> as the webhook's token.",
    "Choose the events to send: occurred and resolved errors, uptime, and check-ins.",
  ],
  snippets: [],
  standby: "Add a second webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
