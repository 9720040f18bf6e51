// AWS CloudWatch alarms through an SNS topic. An alarm can go from INSUFFICIENT_DATA to OK, so not
// every OK resolves an alert.

import { dataOf, datum } from "../reading/additional-data.ts";
import { listAt, type Payload, payloadAt, textAt, valueAt } from "../reading/payload.ts";
import { createSenderType, joinParagraphs, readState } from "../sender-type.ts";
import { alarmPage } from "./aws-links.ts";
import { contributorTitle, dimensionsIn, publishedFields, subscriptionReason } from "./sns.ts";

export const awsCloudwatch = createSenderType({
  name: "aws_cloudwatch",
  title: "AWS CloudWatch",
  description:
    "Alarms of CloudWatch, sent by an SNS topic with this integration's URL as HTTPS endpoint.",
  // docs.aws.amazon.com, SNS message delivery retries: 5xx and 429; other 4xx are final.
  repeats: [429, "5xx"],
  says: ["resolve"],
  sns: true,
  read: (fields) => {
    const reason = subscriptionReason(fields);
    if (reason !== null) return { kind: "ignored", reason };
    const { message, topic } = publishedFields(fields);
    const state = textAt(message, "NewStateValue");
    const kind = readState("NewStateValue", state, {
      create: ["ALARM"],
      resolve: ["OK"],
      ignore: ["INSUFFICIENT_DATA"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const name = textAt(message, "AlarmName");
    // In an alarm on several time series, each one fires and recovers separately.
    const contributor = textAt(message, "AlarmContributorId");
    return {
      kind,
      rest: message,
      thirdpartyId: name && [topic, name, contributor].filter((part) => part !== null).join(":"),
      title: name && contributorTitle(name, payloadAt(message, "AlarmContributorAttributes")),
      description: joinParagraphs(
        textAt(message, "AlarmDescription"),
        textAt(message, "NewStateReason"),
      ),
      additionalData: [
        ...datum("alarm", alarmPage(textAt(message, "AlarmArn")), "link"),
        ...metricOf(payloadAt(message, "Trigger")),
        ...dataOf(
          message,
          "AlarmDescription",
          "AWSAccountId",
          "Region",
          "AlarmArn",
          "StateChangeTime",
        ),
      ],
    };
  },
});

/**
 * The metric, its dimensions and the threshold. An alarm on an expression names the expression's
 * metrics.
 */
function metricOf(trigger: Payload) {
  const stats = listAt(trigger, "Metrics").map((one) => payloadAt(one, "MetricStat", "Metric"));
  const metric = textAt(trigger, "MetricName") === null ? (stats.find(hasName) ?? {}) : trigger;
  const operator = textAt(trigger, "ComparisonOperator");
  const threshold = textAt(trigger, "Threshold");
  return [
    ...datum("metric", textAt(metric, "MetricName")),
    ...datum("namespace", textAt(metric, "Namespace")),
    ...datum("dimensions", dimensionsIn(valueAt(metric, "Dimensions"))),
    ...datum("threshold", threshold && [operator, threshold].filter(Boolean).join(" ")),
  ];
}

const hasName = (metric: Payload): boolean => textAt(metric, "MetricName") !== null;
