// PagerDuty's Events API: clients keep their format and get another host and key.
import type { SetUp } from "../set-up.ts";
import sample from "./pagerduty-events-sample.json" with { type: "json" };

export const pagerdutyEvents: SetUp = {
  kind: "incoming",
  steps: [
    "In the client, replace https://events.pagerduty.com by this service: <ORIGIN>",
    "Use this integration's intake key as the routing key (v2) or service key (v1): <KEY>",
  ],
  snippets: [
    {
      title: "Open an alert",
      format: "shell",
      text: `curl -fsS '<ORIGIN>/v2/enqueue' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "routing_key": "<KEY>",
    "event_action": "trigger",
    "dedup_key": "db-1-disk",
    "payload": { "summary": "Disk full on db-1", "source": "db-1", "severity": "error" }
  }'`,
    },
    {
      title: "alertmanager.yml",
      format: "yaml",
      text: `receivers:
  - name: tocsin
    pagerduty_configs:
      - url: <ORIGIN>/v2/enqueue
        routing_key: <KEY>`,
    },
  ],
  standby:
    "A client sends to one host: where it takes a second receiver, as Alertmanager does, set it up with the same key and the standby: <STANDBY_ORIGIN>",
  sample,
};
