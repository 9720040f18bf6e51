// Better Stack Uptime: an outgoing webhook for incidents.
import type { SetUp } from "../set-up.ts";
import sample from "./better-stack-sample.json" with { type: "json" };

export const betterStack: SetUp = {
  kind: "incoming",
  steps: [
    "In Better Stack, open Integrations, Exporting data, and add an outgoing webhook for incident changes.",
    "Enter this URL: <URL>",
    "Choose that started, acknowledged and resolved incidents are sent.",
  ],
  snippets: [],
  standby:
    "Add a second outgoing webhook, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
