// VictorOps' REST endpoint: clients keep their format and get another URL.
import type { SetUp } from "../set-up.ts";
import sample from "./victorops-sample.json" with { type: "json" };

export const victorops: SetUp = {
  kind: "incoming",
  steps: [
    "In the client, enter the URL below as the REST endpoint. Its last part is the routing key; any word will do.",
  ],
  snippets: [
    {
      title: "Open an alert",
      format: "shell",
      text: `curl -fsS '<ORIGIN>/integrations/generic/20131114/alert/<KEY>/ops' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "message_type": "CRITICAL",
    "entity_id": "db-1-disk",
    "entity_display_name": "Disk full on db-1"
  }'`,
    },
  ],
  standby:
    "A client sends to one host: where it takes a second receiver, set it up with the same path and the standby: <STANDBY_ORIGIN>",
  sample,
};
