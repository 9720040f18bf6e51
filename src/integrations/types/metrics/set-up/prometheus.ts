// Prometheus Alertmanager: a receiver with a webhook.
import type { SetUp } from "../../../set-up/set-up.ts";
import sample from "../samples/prometheus.json" with { type: "json" };

export const prometheus: SetUp = {
  kind: "incoming",
  steps: [
    "Add the receiver below to alertmanager.yml.",
    "Name it in the route, as the default or for the alerts of your choice.",
    "Leave max_alerts unset: a group that was cut off cannot be resolved.",
    "Reload Alertmanager.",
  ],
  snippets: [
    {
      title: "alertmanager.yml",
      format: "yaml",
      text: `route:
  receiver: tocsin
receivers:
  - name: tocsin
    webhook_configs:
      - url: <URL>
        send_resolved: true
        http_config: { authorization: { credentials: <TOKEN> } }`,
    },
  ],
  sample,
};
