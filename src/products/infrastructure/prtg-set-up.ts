// PRTG: an HTTP action of a notification template.
import type { SetUp } from "../set-up.ts";
import sample from "./prtg-sample.json" with { type: "json" };

export const prtg: SetUp = {
  kind: "incoming",
  steps: [
    "In PRTG, open Setup, Notification Templates, and add a template with Execute HTTP Action.",
    "Enter this URL, with the method POST: <URL>",
    "Enter the text below as the postdata.",
    "Add state triggers with the template to your sensors, also for when the condition clears.",
    "Give every other PRTG server an integration of its own: their numbers repeat.",
  ],
  snippets: [
    {
      title: "Postdata",
      format: "text",
      text: "sensorid=%sensorid&sensor=%sensor&device=%device&group=%group&probe=%probe&status=%status&message=%message&lastvalue=%lastvalue&linksensor=%linksensor",
    },
  ],
  standby:
    "Add a second template, set up like the first and used by triggers of its own, with the standby's URL: <STANDBY_URL>",
  sample,
};
