// Jenkins: an endpoint of the notification plugin.
import type { SetUp } from "../set-up.ts";
import sample from "./jenkins-sample.json" with { type: "json" };

export const jenkins: SetUp = {
  kind: "incoming",
  steps: [
    "Install the Notification plugin.",
    "In the job's configuration, add a notification endpoint with the format JSON, the protocol HTTP and this URL: <URL>",
    "Choose the event for completed or finalized builds, and the number of log lines to send.",
  ],
  snippets: [],
  standby: "Add a second notification endpoint to the job, with the standby's URL: <STANDBY_URL>",
  sample,
};
