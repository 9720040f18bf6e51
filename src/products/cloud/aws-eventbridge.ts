// AWS EventBridge: events that a rule sends to an API destination or through SNS. Alarms, findings,
// compliance changes and pipelines create and resolve alerts by their state; any other event
// creates one.

import { isJsonObject } from "../../domain/shared/json.ts";
import type { InboundRequest, IntegrationType, Options } from "../integration-type.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { fieldsOf, listAt, type Payload, payloadAt, textAt } from "../reading/payload.ts";
import {
  createSenderType,
  eachPayload,
  joinParagraphs,
  missingField,
  type Reading,
  readState,
} from "../sender-type.ts";
import { readDetail } from "./aws-details.ts";
import { readHealth } from "./aws-health.ts";
import { alarmPage } from "./aws-links.ts";
import { contributorTitle, dimensionsIn, publishedFields, subscriptionReason } from "./sns.ts";

/** Detail types of an alarm, and of one time series of an alarm on several. */
const ALARMS = ["CloudWatch Alarm State Change", "CloudWatch Alarm Contributor State Change"];

const singleEvent = createSenderType({
  name: "aws_eventbridge",
  title: "AWS EventBridge",
  description: "An API destination of EventBridge, or an SNS topic that a rule publishes to.",
  // docs.aws.amazon.com, API destinations; SNS repeats 429 and 5xx.
  repeats: [429, "5xx"],
  // In the description.
  leavesOut: /eventDescription/,
  says: ["resolve"],
  sns: true,
  read: (fields, { options }) => {
    const reason = subscriptionReason(fields);
    if (reason !== null) return { kind: "ignored", reason };
    const { message } = publishedFields(fields);
    const type = textAt(message, "detail-type");
    if (type === null) return missingField("detail-type");
    const reading = readMessage(type, message, options);
    return reading.kind === "create" ? { ...reading, rest: message } : reading;
  },
});

function readMessage(type: string, message: Payload, options: Options): Reading {
  if (ALARMS.includes(type)) return readAlarm(message);
  return textAt(message, "source") === "aws.health" && textAt(message, "detail", "eventArn")
    ? readHealth(message)
    : readDetail(type, message, options);
}

export const awsEventbridge: IntegrationType = {
  ...singleEvent,
  translate: (request, options) =>
    eachPayload(request, (one) =>
      eachFinding(one).flatMap((it) => singleEvent.translate(it, options)),
    ),
};

/** A custom action of Security Hub sends several findings in one event; each becomes an alert. */
function eachFinding(request: InboundRequest): readonly InboundRequest[] {
  const { message } = publishedFields(fieldsOf(request));
  const findings = listAt(message, "detail", "findings").filter(isJsonObject).slice(0, MAX_ITEMS);
  if (findings.length < 2) return [request];
  const detail = payloadAt(message, "detail");
  return findings.map((finding) => ({
    ...request,
    body: { ...message, detail: { ...detail, findings: [finding] } },
  }));
}

function readAlarm(message: Payload): Reading {
  const detail = payloadAt(message, "detail");
  const state = textAt(detail, "state", "value");
  const kind = readState("detail.state.value", state, {
    create: ["ALARM"],
    resolve: ["OK"],
    ignore: ["INSUFFICIENT_DATA"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  const name = textAt(detail, "alarmName");
  const arn = textAt(message, "resources", 0);
  const contributor = payloadAt(detail, "alarmContributor");
  const identifiers = [arn ?? name, textAt(contributor, "id")];
  const metric = payloadAt(detail, "configuration", "metrics", 0, "metricStat", "metric");
  return {
    kind,
    thirdpartyId: identifiers.filter((part) => part !== null).join(":") || null,
    title: name && contributorTitle(name, payloadAt(contributor, "attributes")),
    description: joinParagraphs(
      textAt(detail, "configuration", "description"),
      textAt(detail, "state", "reason"),
    ),
    additionalData: [
      ...datum("alarm", alarmPage(arn), "link"),
      ...datum("metric", textAt(metric, "name")),
      ...datum("dimensions", dimensionsIn(metric.dimensions)),
      ...dataOf(message, "account", "region", "time"),
    ],
  };
}
