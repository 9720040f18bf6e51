// AWS Health through EventBridge: issues, scheduled changes and account notifications; resolved
// when closed.

import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { own } from "../../domain/shared/own.ts";
import { dataOf } from "../reading/additional-data.ts";
import { listAt, type Payload, payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { createSenderType, type Reading, readOther } from "../sender-type.ts";
import { publishedFields, subscriptionReason } from "./sns.ts";

/** Urgency by category; only issues are urgent. */
const URGENCIES: Readonly<Record<string, AlertUrgency>> = {
  issue: "high",
  scheduledChange: "medium",
  accountNotification: "low",
};

export const awsHealth = createSenderType({
  name: "aws_health",
  title: "AWS Health",
  description: "AWS Health events of an EventBridge rule, by an API destination or an SNS topic.",
  // docs.aws.amazon.com, SNS message delivery retries: 5xx and 429; other 4xx are final.
  repeats: [429, "5xx"],
  // In the description.
  leavesOut: /eventDescription/,
  says: ["resolve"],
  sns: true,
  read: (fields) => {
    const reason = subscriptionReason(fields);
    if (reason !== null) return { kind: "ignored", reason };
    const { message } = publishedFields(fields);
    const type = textAt(message, "detail-type");
    if (textAt(message, "source") !== "aws.health") return readOther("detail-type", type);
    return readHealth(message);
  },
});

/** Reads an AWS Health event; also used for those that arrive through EventBridge. */
export function readHealth(message: Payload): Reading {
  const detail = payloadAt(message, "detail");
  const category = textAt(detail, "eventTypeCategory") ?? "";
  const code = textAt(detail, "eventTypeCode");
  const isClosed = textAt(detail, "statusCode")?.toLowerCase() === "closed";
  return {
    rest: message,
    kind: isClosed ? "resolve" : "create",
    thirdpartyId: textAt(detail, "eventArn"),
    title: code && `${code} in ${textAt(detail, "eventRegion") ?? "all regions"}`,
    description: textAt(listAt(detail, "eventDescription")[0], "latestDescription"),
    urgency: own(URGENCIES, category) ?? null,
    tags: textsOf([detail.service, category]),
    additionalData: [
      ...dataOf(detail, "eventArn", "service", "startTime", "endTime", "statusCode"),
      ...dataOf(message, "account", "region"),
    ],
  };
}
