// AWS Health: an EventBridge rule that publishes to an SNS topic.
import type { SetUp } from "../set-up.ts";
import sample from "./aws-health-sample.json" with { type: "json" };

export const awsHealth: SetUp = {
  kind: "incoming",
  steps: [
    "Create an SNS topic, and subscribe this integration's URL to it. The subscription is confirmed at once.",
    "Create a rule in EventBridge with the pattern below, in each region that you use.",
    "Choose the SNS topic as the rule's target.",
  ],
  snippets: [
    {
      title: "Subscribe to the topic",
      format: "shell",
      text: `aws sns subscribe \\
  --topic-arn arn:aws:sns:eu-central-1:123456789012:health \\
  --protocol https \\
  --notification-endpoint '<URL>'`,
    },
    {
      title: "Event pattern of the rule",
      format: "json",
      text: `{ "source": ["aws.health"] }`,
    },
  ],
  standby: "Subscribe the standby's URL to the same topic: <STANDBY_URL>",
  sample,
};
