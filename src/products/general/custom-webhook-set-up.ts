// Any JSON, mapped by the user's expressions: only the user knows the sender's format.
import type { SetUp } from "../set-up.ts";

export const customWebhook: SetUp = {
  kind: "incoming",
  steps: [
    "Write an expression for the title and, so that alerts can be resolved, for the sender's identifier and the event type.",
    "Send the sender's JSON with POST to this URL: <URL>",
    "Look at the recent events on this page: they show what was received and what became of it.",
  ],
  snippets: [
    {
      title: "Send an event",
      format: "shell",
      text: `curl -fsS '<URL>' \\
  -H 'Content-Type: application/json' \\
  -H 'service-token: <TOKEN>' \\
  -d '{ "id": "db-1-disk", "state": "firing", "title": "Disk full on db-1" }'`,
    },
  ],
  standby: "Send each event to the standby's URL as well: <STANDBY_URL>",
  sample: null,
};
