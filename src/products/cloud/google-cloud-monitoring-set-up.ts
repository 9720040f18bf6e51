// Google Cloud Monitoring: a webhook notification channel.
import type { SetUp } from "../set-up.ts";
import sample from "./google-cloud-monitoring-sample.json" with { type: "json" };

export const googleCloudMonitoring: SetUp = {
  kind: "incoming",
  steps: [
    "In Google Cloud, open Monitoring, Alerting, Edit notification channels, and add a webhook with this URL: <URL>",
    "Choose the channel in your alerting policies, with a notification on closure.",
  ],
  snippets: [
    {
      title: "Create the channel",
      format: "shell",
      text: `gcloud beta monitoring channels create \\
  --display-name=Tocsin \\
  --type=webhook_tokenauth \\
  --channel-labels=url='<URL>'`,
    },
  ],
  standby:
    "Add a second webhook, set up like the first and chosen in the same policies, with the standby's URL: <STANDBY_URL>",
  sample,
};
