// AWS CloudWatch alarms through an SNS topic. Not every OK ends something: what was INSUFFICIENT_DATA before an ALARM
// counts as not alarming.
import { dataOf } from "../additional-data.ts";
import { textAt } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { publishedFields, subscriptionReason } from "../sns.ts";

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
    return {
      kind,
      thirdpartyId: name && [topic, name].filter((part) => part !== null).join(":"),
      title: name,
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
