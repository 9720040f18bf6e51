// Grafana: a webhook contact point, by hand or provisioned from a file.
import type { SetUp } from "../set-up.ts";
import sample from "./grafana-sample.json" with { type: "json" };

const receiver = (uid: string, url: string) => `
      - uid: ${uid}
        type: webhook
        settings:
          url: ${url}
          httpMethod: POST
          authorization_credentials: <TOKEN>`;

const snippet = (hasStandby: boolean) =>
  ({
    title: "Provisioned contact point",
    format: "yaml",
    text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: tocsin
    receivers:${receiver("tocsin", "<URL>")}${hasStandby ? receiver("tocsin-standby", "<STANDBY_URL>") : ""}`,
  }) as const;

export const grafana: SetUp = {
  kind: "incoming",
  steps: [
    "In Grafana, open Alerting, Contact points, and add one of the type Webhook with this URL: <URL>",
    "In its optional settings, enter <TOKEN> as the credentials of the authorization header.",
    "Or save the text below in the folder provisioning/alerting and restart Grafana.",
    "Choose the contact point in your notification policies or alert rules. Do not limit the number of alerts.",
    "Give every other Grafana an integration of its own.",
  ],
  snippets: [snippet(false)],
  standby:
    "Add a second integration of the type Webhook to the same contact point, with the standby's URL: <STANDBY_URL>",
  standbySnippets: [snippet(true)],
  sample,
};
