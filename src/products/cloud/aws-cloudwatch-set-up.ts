// CloudWatch: an SNS topic with the integration as an HTTPS endpoint.
import type { SetUp } from "../set-up.ts";
import sample from "./aws-cloudwatch-sample.json" with { type: "json" };

export const awsCloudwatch: SetUp = {
  kind: "incoming",
  steps: [
    "Create an SNS topic in the alarm's region, or choose one that you have.",
    "Subscribe this integration's URL to it, without raw message delivery. The subscription is confirmed at once.",
    "Choose the topic as the action of your alarms, both for the state In alarm and for OK, so that alerts are resolved.",
    "An integration accepts messages of one topic, and only those that AWS signed.",
  ],
  snippets: [
    {
      title: "Subscribe to the topic",
      format: "shell",
      text: `aws sns subscribe \\
  --topic-arn arn:aws:sns:eu-central-1:123456789012:alarms \\
  --protocol https \\
  --notification-endpoint '<URL>'`,
    },
  ],
  standby: "Subscribe the standby's URL to the same topic: <STANDBY_URL>",
  sample,
};
