// AWS CloudWatch alarms through an SNS topic. Not every OK ends something: what was INSUFFICIENT_DATA before an ALARM
// counts as not alarming.
import { dataOf } from "../additional-data.ts";
import { payloadAt, textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { contributorTitle, publishedFields, subscriptionReason } from "../sns.ts";

export const awsCloudwatch = sender({
  name: "aws_cloudwatch",
  title: "AWS CloudWatch",
  description:
    "Alarms of CloudWatch, sent by an SNS topic with this integration's URL as HTTPS endpoint.",
  says: ["resolve"],
  sns: true,
  read: (fields) => {
    const reason = subscriptionReason(fields);
    if (reason !== null) return { kind: "ignored", reason };
    const { message, topic } = publishedFields(fields);
    const state = textAt(message, "NewStateValue");
    const kind = kindOf(state, { create: ["ALARM"], resolve: ["OK"] });
    if (kind === null) return notForUs("NewStateValue", state);
    const name = textAt(message, "AlarmName");
    // Of an alarm over several time series each fires and recovers by itself.
    const contributor = textAt(message, "AlarmContributorId");
    return {
      kind,
      thirdpartyId: name && [topic, name, contributor].filter((part) => part !== null).join(":"),
      title: name && contributorTitle(name, payloadAt(message, "AlarmContributorAttributes")),
      description: textAt(message, "NewStateReason"),
      additionalData: dataOf(
        message,
        "AlarmDescription",
        "AWSAccountId",
        "Region",
        "AlarmArn",
        "StateChangeTime",
      ),
    };
  },
});
