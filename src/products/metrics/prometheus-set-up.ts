// Prometheus Alertmanager: a receiver with a webhook.
import type { SetUp } from "../set-up.ts";
import sample from "./prometheus-sample.json" with { type: "json" };

const receiver = (url: string) => `
      - url: ${url}
        send_resolved: true
        http_config: { authorization: { credentials: <TOKEN> } }`;

const snippet = (hasStandby: boolean) =>
  ({
    title: "alertmanager.yml",
    format: "yaml",
    text: `route:
  receiver: tocsin
receivers:
  - name: tocsin
    webhook_configs:${receiver("<URL>")}${hasStandby ? receiver("<STANDBY_URL>") : ""}`,
  }) as const;

export const prometheus: SetUp = {
  kind: "incoming",
  steps: [
    "Add the receiver below to alertmanager.yml.",
    "Name it in the route, as the default or for the alerts of your choice.",
    "Leave max_alerts unset: a group that was cut short stays open after its end, and what fires later is only counted on it.",
    "Replicas share this integration. Give any other Alertmanager its own, or group by a label such as cluster.",
    "Reload Alertmanager.",
  ],
  snippets: [snippet(false)],
  standby:
    "Give the receiver a second entry of webhook_configs, with the standby's URL: <STANDBY_URL>",
  standbySnippets: [snippet(true)],
  sample,
};
