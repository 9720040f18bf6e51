// Checkly: a webhook alert channel with a body of its variables.
import type { SetUp } from "../set-up.ts";
import sample from "./checkly-sample.json" with { type: "json" };

export const checkly: SetUp = {
  kind: "incoming",
  steps: [
    "In Checkly, open Alerts, Alert channels, and add a Webhook with the method POST and this URL: <URL>",
    "Add the header service-token with the value <TOKEN>.",
    "Enter the body below, and subscribe your checks to the channel, also for recoveries.",
  ],
  snippets: [
    {
      title: "Body",
      format: "json",
      text: `{
  "event": "{{ALERT_TITLE}}",
  "alert_type": "{{ALERT_TYPE}}",
  "check_id": "{{CHECK_ID}}",
  "check_name": "{{CHECK_NAME}}",
  "check_error_message": "{{CHECK_ERROR_MESSAGE}}",
  "run_location": "{{RUN_LOCATION}}",
  "tags": "{{TAGS}}",
  "link": "{{RESULT_LINK}}"
}`,
    },
  ],
  standby:
    "Add a second alert channel, set up like the first and subscribed to by the same checks, with the standby's URL: <STANDBY_URL>",
  sample,
};
