// Prometheus Alertmanager, `webhook_configs` (payload version 4): a group of alerts is one alert,
// identified by its `groupKey`. With `send_resolved: true` it is resolved when the whole group is.
import type { AdditionalDatum, AlertUrgency } from "../../domain/alerts/alert.ts";
import { isJsonObject } from "../../domain/shared/json.ts";
import { createEvent, followUp } from "../create-event.ts";
import type {
  InboundEvent,
  InboundRequest,
  IntegrationType,
  Options,
} from "../integration-type.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import {
  fieldsOf,
  listAt,
  type Payload,
  payloadAt,
  textAt,
  textOf,
  textsOf,
} from "../reading/payload.ts";
import { urgencyOfWord, worstUrgency } from "../reading/severity.ts";
import { eachPayload } from "../sender-type.ts";

/** Limit on alerts that a description lists; the rest are counted. */
const MAX_SUMMARIES = 20;
/** A longer summary (in characters) is only in the description. */
const MAX_SUMMARY = 200;
/** Limit on labels shown to distinguish an alert within its group. */
const MAX_LABELS = 10;
/** Grafana's names for alerts of a rule that has no data or cannot be evaluated. */
const DATASOURCE_ALERTS = new Map([
  ["DatasourceNoData", "no data"],
  ["DatasourceError", "error"],
]);

export const prometheus: IntegrationType = {
  name: "prometheus",
  title: "Prometheus Alertmanager",
  description: "A webhook_configs receiver of Alertmanager, with send_resolved: true.",
  options: [],
  supports: { create: true, acknowledge: false, resolve: true },
  translate: (request, options) => eachPayload(request, (one) => translateGroup(one, options)),
};

/** Translates an Alertmanager group; Grafana sends the same format. */
export function translateGroup(request: InboundRequest, options: Options): InboundEvent {
  const group = fieldsOf(request);
  const alerts = listAt(group, "alerts");
  const firing = alerts.filter(isFiring);
  const first = firing[0] ?? alerts[0];
  const status = textAt(group, "status")?.toLowerCase() ?? statusOf(alerts, firing);
  const thirdpartyId = textAt(group, "groupKey") ?? textAt(first, "fingerprint");
  const nameOfMember = (alert: unknown) => distinguishingLabels(alert, group.groupLabels) ?? [];
  const truncated = truncatedOf(group);
  if (status === "resolved") {
    if (truncated > 0) return truncatedResolution(truncated);
    return followUp("resolve", thirdpartyId, [], alerts.flatMap(nameOfMember));
  }
  if (status === null || (status !== "firing" && alerts.length === 0)) {
    const message = "status must be firing or resolved";
    return { kind: "invalid", errors: [{ message, field: "status" }] };
  }
  const labels = labelsOf(group, first);
  return createEvent({
    thirdpartyId,
    title: titleOf(group, labels, firing),
    description: descriptionOf(group, labels, firing),
    urgency: urgencyOf(labels, firing, options),
    tags: tagsOf(labels),
    additionalData: additionalDataOf(group, labels, first),
    members: {
      names: firing.flatMap(nameOfMember),
      ended: alerts.filter((alert) => !isFiring(alert)).flatMap(nameOfMember),
      from: textAt(group, "externalURL") ?? "",
      ...(truncated > 0 && { isPartial: true }),
    },
    ...(truncated > 0 && { warning: truncationText(truncated) }),
  });
}

const isFiring = (alert: unknown) => textAt(alert, "status")?.toLowerCase() !== "resolved";

/**
 * Alertmanager's status covers only the alerts in the payload. With `max_alerts` it can be
 * `resolved` while an alert that was left out still fires and is not sent again for hours, so it is
 * ignored.
 */
const truncatedResolution = (truncated: number): InboundEvent => ({
  kind: "ignored",
  reason: `resolved, but max_alerts left out ${truncated} of the group, which may still fire`,
  isWarning: true,
});

const truncationText = (truncated: number) =>
  `max_alerts left out ${truncated} of the group: its end will be ignored; leave max_alerts unset`;

/** The status of a group without one: firing while any alert fires; null without alerts. */
function statusOf(alerts: readonly unknown[], firing: readonly unknown[]): string | null {
  if (alerts.length === 0) return null;
  return firing.length > 0 ? "firing" : "resolved";
}

/** The labels that all alerts share; if missing, the group's labels or the first alert's. */
function labelsOf(group: Payload, first: unknown): Payload {
  if (isJsonObject(group.commonLabels)) return group.commonLabels;
  if (isJsonObject(group.groupLabels)) return group.groupLabels;
  return payloadAt(first, "labels");
}

/**
 * The alerts' common name with their common summary, which says more; else the first name and the
 * number of others that fire. The name comes first: rules and people look for it.
 */
function titleOf(group: Payload, labels: Payload, firing: readonly unknown[]): string {
  const common = nameOf(labels);
  const summary = summaryOf(group);
  if (common !== null) {
    if (summary === null) return common;
    return summary.toLowerCase().includes(common.toLowerCase()) ? summary : `${common}: ${summary}`;
  }
  const first = payloadAt(firing[0], "labels");
  const name = nameOf(first) ?? textAt(first, "alertname");
  if (name === null) return `Prometheus ${textAt(group, "receiver") ?? "alert"} firing`;
  const others = countOf(group, firing) - 1;
  return others > 0 ? `${name} and ${others} more` : name;
}

/**
 * The name of an alert. For an alert about missing data or an error it is the rule's name, which
 * distinguishes the rules.
 */
function nameOf(labels: Payload): string | null {
  const name = textAt(labels, "alertname");
  const fault = DATASOURCE_ALERTS.get(name ?? "");
  if (fault === undefined) return name;
  const rule = textAt(labels, "rulename");
  return rule === null ? null : `${rule}: ${fault}`;
}

/** The summary that all alerts share, in one line; null for none, or one too long for a title. */
function summaryOf(group: Payload): string | null {
  const summary = textAt(group, "commonAnnotations", "summary")?.trim() ?? "";
  return summary === "" || summary.length > MAX_SUMMARY || /[\r\n]/.test(summary) ? null : summary;
}

/** The common annotations; without any, one line per firing alert. */
function descriptionOf(group: Payload, labels: Payload, firing: readonly unknown[]): string | null {
  const common = payloadAt(group, "commonAnnotations");
  const shared = [textAt(common, "summary"), textAt(common, "description")];
  const texts = shared.filter((text) => text !== null);
  if (texts.length === 0) {
    return listOf(group, firing, (alert) => lineOf(alert, labels)).join("\n") || null;
  }
  // Common annotations do not distinguish the alerts, so their own labels are listed.
  const isGroup = countOf(group, firing) > 1;
  const which = isGroup
    ? listOf(group, firing, (alert) => distinguishingLabels(alert, labels, MAX_LABELS))
    : [];
  return [...textsOf(texts), which.join("\n")].filter((text) => text !== "").join("\n\n");
}

/** One line per firing alert that has one, and the number of those not listed. */
function listOf(
  group: Payload,
  firing: readonly unknown[],
  line: (alert: unknown) => string | null,
): readonly string[] {
  const shown = firing.slice(0, MAX_SUMMARIES);
  const lines = shown.flatMap((alert) => line(alert) ?? []);
  const others = countOf(group, firing) - shown.length;
  return [...lines, ...(others > 0 ? [`… and ${others} more`] : [])];
}

/** One alert in one line: its summary or, without one, its distinguishing labels. */
function lineOf(alert: unknown, labels: Payload): string | null {
  const annotations = payloadAt(alert, "annotations");
  return (
    textAt(annotations, "summary") ??
    textAt(annotations, "description") ??
    textAt(annotations, "message") ??
    distinguishingLabels(alert, labels, MAX_LABELS)
  );
}

/** The labels that distinguish an alert within its group, in one line. */
function distinguishingLabels(alert: unknown, common: unknown, most?: number): string | null {
  const own = payloadAt(alert, "labels");
  const labels = isJsonObject(common) ? common : {};
  const pairs = Object.keys(own)
    .filter((name) => !Object.hasOwn(labels, name))
    .slice(0, most)
    .map((name) => `${name}=${textAt(own, name)}`);
  return textOf(pairs.join(", "));
}

/** The number of firing alerts, including those left out of the payload. */
function countOf(group: Payload, firing: readonly unknown[]): number {
  return firing.length + truncatedOf(group);
}

/** The number of alerts that `max_alerts` left out of the payload. */
function truncatedOf(group: Payload): number {
  const truncated = Number(textAt(group, "truncatedAlerts") ?? 0);
  return Number.isSafeInteger(truncated) && truncated > 0 ? truncated : 0;
}

/** Urgency by the group's common severity; if alerts differ, by the highest that fires. */
function urgencyOf(
  labels: Payload,
  firing: readonly unknown[],
  options: Options,
): AlertUrgency | null {
  const common = textAt(labels, "severity");
  if (common !== null) return urgencyOfWord(common, options);
  const severities = firing.map((alert) => textAt(alert, "labels", "severity"));
  return worstUrgency(severities.map((severity) => urgencyOfWord(severity, options)));
}

/**
 * Tags `label:value` of the common labels, for router rules; the alert's name is already the title.
 */
function tagsOf(labels: Payload): readonly string[] {
  return Object.keys(labels)
    .filter((name) => name !== "alertname" && textAt(labels, name) !== null)
    .map((name) => `${name}:${textAt(labels, name)}`);
}

/** The common annotations besides those of the description. */
const annotationsOf = (group: Payload): readonly string[] =>
  Object.keys(payloadAt(group, "commonAnnotations"))
    .filter((name) => !["summary", "description"].includes(name))
    .slice(0, MAX_ITEMS);

function additionalDataOf(
  group: Payload,
  labels: Payload,
  first: unknown,
): readonly AdditionalDatum[] {
  return [
    ...datum("externalURL", textAt(group, "externalURL"), "link"),
    ...datum("generatorURL", textAt(first, "generatorURL"), "link"),
    ...dataOf(payloadAt(group, "commonAnnotations"), ...annotationsOf(group)),
    ...datum("receiver", textAt(group, "receiver")),
    ...Object.keys(labels).flatMap((name) => datum(name, textAt(labels, name))),
  ];
}
