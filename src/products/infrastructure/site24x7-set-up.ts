// Site24x7: a webhook with its incident parameters.
import type { SetUp } from "../set-up.ts";
import sample from "./site24x7-sample.json" with { type: "json" };

export const site24x7: SetUp = {
  kind: "incoming",
  steps: [
    "In Site24x7, open Admin, Third-Party Integrations, and add Webhooks.",
    "Enter this URL, with the method POST: <URL>",
    "Choose to send the incident parameters, as JSON.",
    "Choose the monitors, and save.",
  ],
  snippets: [],
  standby:
    "Add a second webhook, set up like the first and used by the same monitors, with the standby's URL: <STANDBY_URL>",
  sample,
};
