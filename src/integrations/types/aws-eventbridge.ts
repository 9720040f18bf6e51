// AWS EventBridge: events that a rule sends to an API destination, or through SNS. An alarm's change of state opens and
// ends; any other event that a rule lets through opens an alert.
import { dataOf } from "../additional-data.ts";
import { type Payload, payloadAt, textAt } from "../payload.ts";
import { kindOf, notForUs, type Reading, sender, unread } from "../sender.ts";
import { contributorTitle, publishedFields, subscriptionReason } from "../sns.ts";

/** An alarm's, and that of one time series of an alarm over several. */
const ALARMS = ["CloudWatch Alarm State Change", "CloudWatch Alarm Contributor State Change"];

export const awsEventbridge = sender({
  name: "aws_eventbridge",
  title: "AWS EventBridge",
  description: "An API destination of EventBridge, or an SNS topic that a rule publishes to.",
  says: ["resolve"],
  sns: true,
  read: (fields) => {
    const reason = subscriptionReason(fields);
    if (reason !== null) return { kind: "ignored", reason };
    const { message } = publishedFields(fields);
    const type = textAt(message, "detail-type");
    if (type === null) return unread("detail-type");
    return ALARMS.includes(type) ? readAlarm(message) : readOther(message, type);
  },
});

function readAlarm(message: Payload): Reading {
  const detail = payloadAt(message, "detail");
  const state = textAt(detail, "state", "value");
  const kind = kindOf(state, { create: ["ALARM"], resolve: ["OK"] });
  if (kind === null) return notForUs("detail.state.value", state);
  const name = textAt(detail, "alarmName");
  const contributor = payloadAt(detail, "alarmContributor");
  const about = [textAt(message, "resources", 0) ?? name, textAt(contributor, "id")];
  return {
    kind,
    thirdpartyId: about.filter((part) => part !== null).join(":") || null,
    title: name && contributorTitle(name, payloadAt(contributor, "attributes")),
    description: textAt(detail, "state", "reason"),
    additionalData: dataOf(message, "account", "region", "time"),
  };
}

function readOther(message: Payload, type: string): Reading {
  const source = textAt(message, "source");
  return {
    kind: "create",
    thirdpartyId: textAt(message, "id"),
    title: source === null ? type : `${type} (${source})`,
    description: textAt(message, "detail"),
    additionalData: dataOf(message, "account", "region", "time", "resources"),
  };
}
