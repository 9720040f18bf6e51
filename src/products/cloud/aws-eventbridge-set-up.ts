// EventBridge: a rule that publishes to an SNS topic with the integration as an HTTPS endpoint.
import type { SetUp } from "../set-up.ts";
import sample from "./aws-eventbridge-sample.json" with { type: "json" };

export const awsEventbridge: SetUp = {
  kind: "incoming",
  steps: [
    "Create an SNS topic, and subscribe this integration's URL to it. The subscription is confirmed at once.",
    "Create a rule in EventBridge for the events that should open alerts, such as those of the pattern below.",
    "Choose the SNS topic as the rule's target.",
  ],
  snippets: [
    {
      title: "Subscribe to the topic",
      format: "shell",
      text: `aws sns subscribe \\
  --topic-arn arn:aws:sns:eu-central-1:123456789012:events \\
  --protocol https \\
  --notification-endpoint '<URL>'`,
    },
    {
      title: "Event pattern of the rule",
      format: "json",
      text: `{
  "source": ["aws.cloudwatch", "aws.guardduty", "aws.securityhub", "aws.codepipeline"]
}`,
    },
  ],
  standby: "Subscribe the standby's URL to the same topic: <STANDBY_URL>",
  sample,
};
