// Pingdom: a webhook integration.
import type { SetUp } from "../set-up.ts";
import sample from "./pingdom-sample.json" with { type: "json" };

export const pingdom: SetUp = {
  kind: "incoming",
  steps: [
    "In Pingdom, open Integrations and add one of the type Webhook with this URL: <URL>",
    "Choose the integration in your checks.",
  ],
  snippets: [],
  standby:
    "Add a second integration, set up like the first and chosen in the same checks, with the standby's URL: <STANDBY_URL>",
  sample,
};
