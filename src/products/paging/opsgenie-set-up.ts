// Opsgenie's Alert API: clients keep their format and get another host and key.
import type { SetUp } from "../set-up.ts";
import sample from "./opsgenie-sample.json" with { type: "json" };

export const opsgenie: SetUp = {
  kind: "incoming",
  steps: [
    "In the client, replace the host api.opsgenie.com by this service: <ORIGIN>",
    "Use this integration's intake key as the API key (GenieKey): <KEY>",
  ],
  snippets: [
    {
      title: "Open an alert",
      format: "shell",
      text: `curl -fsS '<ORIGIN>/v2/alerts' \\
  -H 'Content-Type: application/json' \\
  -H 'Authorization: GenieKey <KEY>' \\
  -d '{ "message": "Disk full on db-1", "alias": "db-1-disk", "priority": "P2" }'`,
    },
    {
      title: "alertmanager.yml",
      format: "yaml",
      text: `receivers:
  - name: tocsin
    opsgenie_configs:
      - api_url: <ORIGIN>/
        api_key: <KEY>`,
    },
  ],
  standby:
    "A client sends to one host: where it takes a second receiver, set it up with the same key and the standby: <STANDBY_ORIGIN>",
  sample,
};
