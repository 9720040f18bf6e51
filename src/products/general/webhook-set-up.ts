// The generic webhook: the service's own format.
import type { SetUp } from "../set-up.ts";
import sample from "./webhook-sample.json" with { type: "json" };

export const webhook: SetUp = {
  kind: "incoming",
  steps: [
    "Send events as JSON or as a form with POST to this URL: <URL>",
    "Pass the token in the header service-token: <TOKEN>",
    "An event has event_type (create, acknowledge or resolve), Id and Title. Events with the same Id belong to one alert.",
  ],
  snippets: [
    {
      title: "Open an alert",
      format: "shell",
      text: `curl -fsS '<URL>' \\
  -H 'Content-Type: application/json' \\
  -H 'service-token: <TOKEN>' \\
  -d '{
    "event_type": "create",
    "Id": "db-1-disk",
    "Title": "Disk full on db-1",
    "Description": "97 % used"
  }'`,
    },
    {
      title: "Resolve it",
      format: "shell",
      text: `curl -fsS '<URL>' \\
  -H 'Content-Type: application/json' \\
  -H 'service-token: <TOKEN>' \\
  -d '{ "event_type": "resolve", "Id": "db-1-disk" }'`,
    },
  ],
  standby: "Send each event to the standby's URL as well: <STANDBY_URL>",
  sample,
};
