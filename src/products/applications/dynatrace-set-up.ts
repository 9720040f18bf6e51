// Dynatrace: a custom integration for problem notifications.
import type { SetUp } from "../set-up.ts";
import sample from "./dynatrace-sample.json" with { type: "json" };

export const dynatrace: SetUp = {
  kind: "incoming",
  steps: [
    "In Dynatrace, open Settings, Integration, Problem notifications, and add a Custom integration.",
    "Enter this URL: <URL>",
    "Add a header service-token with the value <TOKEN>.",
    "Enter the payload below, and switch on the notification about closed problems.",
    "Send Dynatrace's test notification, then save.",
  ],
  snippets: [
    {
      title: "Custom payload",
      format: "json",
      text: `{
  "State": "{State}",
  "ProblemID": "{ProblemID}",
  "PID": "{PID}",
  "ProblemTitle": "{ProblemTitle}",
  "ProblemDetailsText": "{ProblemDetailsText}",
  "ProblemSeverity": "{ProblemSeverity}",
  "ProblemImpact": "{ProblemImpact}",
  "ProblemURL": "{ProblemURL}",
  "ImpactedEntity": "{ImpactedEntity}",
  "Tags": "{Tags}"
}`,
    },
  ],
  standby:
    "Add a second custom integration, set up like the first, with the standby's URL: <STANDBY_URL>",
  sample,
};
