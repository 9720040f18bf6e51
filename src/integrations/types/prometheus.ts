// Prometheus Alertmanager, `webhook_configs` (payload version 4): one group of alerts is one alert here,
// found again by its `groupKey`. With `send_resolved: true` it is resolved when the whole group is.
import type { AlertUrgency } from "../../domain/alert.ts";
import { datum } from "../additional-data.ts";
import { createEvent, followUp } from "../create-event.ts";
import type {
  AdditionalDatum,
  InboundEvent,
  InboundRequest,
  IntegrationType,
  Options,
} from "../integration-type.ts";
import {
  fieldsOf,
  isPayload,
  listAt,
  type Payload,
  payloadAt,
  textAt,
  textOf,
  textsOf,
} from "../payload.ts";
import { eachPayload } from "../sender.ts";
import { urgencyOfWord, worstUrgency } from "../severity.ts";

/** How many alerts of a group its description speaks of; the others are counted. */
const MAX_SUMMARIES = 20;
/** How many labels tell one alert from the others of its group. */
const MAX_APART = 10;
/** The names that Grafana gives to every alert of a rule without data, or that cannot be evaluated. */
const OF_THE_SOURCE = new Map([
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

/** What an Alertmanager group says; Grafana sends the same form. */
export function translateGroup(request: InboundRequest, options: Options): InboundEvent {
  const group = fieldsOf(request);
  const alerts = listAt(group, "alerts");
  const firing = alerts.filter((alert) => textAt(alert, "status")?.toLowerCase() !== "resolved");
  const first = firing[0] ?? alerts[0];
  const status = textAt(group, "status")?.toLowerCase() ?? statusOf(alerts, firing);
  const thirdpartyId = textAt(group, "groupKey") ?? textAt(first, "fingerprint");
  if (status === "resolved") return resolutionOf(thirdpartyId, truncatedOf(group));
  if (status !== "firing") {
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
  });
}

/**
 * Alertmanager's status speaks only of the alerts in the payload: with `max_alerts` it says `resolved` while
 * one that it left out still fires, and will not speak of that one again for hours. So that is not taken.
 */
function resolutionOf(thirdpartyId: string | null, truncated: number): InboundEvent {
  if (truncated === 0) return followUp("resolve", thirdpartyId);
  return {
    kind: "ignored",
    reason: `resolved, but max_alerts left out ${truncated} of the group, which may still fire`,
  };
}

/** Of a group that does not say: firing while any of its alerts is; null without alerts. */
function statusOf(alerts: readonly unknown[], firing: readonly unknown[]): string | null {
  if (alerts.length === 0) return null;
  return firing.length > 0 ? "firing" : "resolved";
}

/** The labels that all alerts share; where the sender left them out, the next best thing. */
function labelsOf(group: Payload, first: unknown): Payload {
  if (isPayload(group.commonLabels)) return group.commonLabels;
  if (isPayload(group.groupLabels)) return group.groupLabels;
  return payloadAt(first, "labels");
}

/** The alerts' common name; of a group of several names the first, and how many more fire. */
function titleOf(group: Payload, labels: Payload, firing: readonly unknown[]): string {
  const common = nameOf(labels);
  if (common !== null) return common;
  const first = payloadAt(firing[0], "labels");
  const name = nameOf(first) ?? textAt(first, "alertname");
  if (name === null) return `Prometheus ${textAt(group, "receiver") ?? "alert"} firing`;
  const others = countOf(group, firing) - 1;
  return others > 0 ? `${name} and ${others} more` : name;
}

/** What labels call an alert. Of a rule without data it is the rule's own name that tells one from another. */
function nameOf(labels: Payload): string | null {
  const name = textAt(labels, "alertname");
  const fault = OF_THE_SOURCE.get(name ?? "");
  if (fault === undefined) return name;
  const rule = textAt(labels, "rulename");
  return rule === null ? null : `${rule}: ${fault}`;
}

/** What the annotations say in common, else a line for each alert that fires. */
function descriptionOf(group: Payload, labels: Payload, firing: readonly unknown[]): string | null {
  const common = payloadAt(group, "commonAnnotations");
  const shared = [textAt(common, "summary"), textAt(common, "description")];
  const said = shared.filter((text) => text !== null);
  if (said.length === 0) {
    return listOf(group, firing, (alert) => lineOf(alert, labels)).join("\n") || null;
  }
  // The same is said of all of them: which they are, their own labels tell.
  const isGroup = countOf(group, firing) > 1;
  const which = isGroup ? listOf(group, firing, (alert) => apartOf(alert, labels)) : [];
  return [...textsOf(said), which.join("\n")].filter((text) => text !== "").join("\n\n");
}

/** A line for each alert that fires, as far as there is something to say of it, and how many more there are. */
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

/** One alert in a line: its summary or, without one, the labels that set it apart from its group. */
function lineOf(alert: unknown, labels: Payload): string | null {
  const annotations = payloadAt(alert, "annotations");
  return (
    textAt(annotations, "summary") ??
    textAt(annotations, "description") ??
    textAt(annotations, "message") ??
    apartOf(alert, labels)
  );
}

/** The labels that set an alert apart from its group, as one line. */
function apartOf(alert: unknown, labels: Payload): string | null {
  const own = payloadAt(alert, "labels");
  const apart = Object.keys(own)
    .filter((name) => !Object.hasOwn(labels, name))
    .slice(0, MAX_APART)
    .map((name) => `${name}=${textAt(own, name)}`);
  return textOf(apart.join(", "));
}

/** How many alerts fire, with those that were left out of the payload. */
function countOf(group: Payload, firing: readonly unknown[]): number {
  return firing.length + truncatedOf(group);
}

/** How many alerts `max_alerts` kept out of the payload. */
function truncatedOf(group: Payload): number {
  const truncated = Number(textAt(group, "truncatedAlerts") ?? 0);
  return Number.isSafeInteger(truncated) && truncated > 0 ? truncated : 0;
}

/** The group's common severity; where its alerts differ, the worst that fires. */
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

/** `label:value` of every common label, for routers to match on; the name is the title already. */
function tagsOf(labels: Payload): readonly string[] {
  return Object.keys(labels)
    .filter((name) => name !== "alertname" && textAt(labels, name) !== null)
    .map((name) => `${name}:${textAt(labels, name)}`);
}

function additionalDataOf(
  group: Payload,
  labels: Payload,
  first: unknown,
): readonly AdditionalDatum[] {
  return [
    ...datum("externalURL", textAt(group, "externalURL"), "link"),
    ...datum("generatorURL", textAt(first, "generatorURL"), "link"),
    ...datum("runbook_url", textAt(group, "commonAnnotations", "runbook_url"), "link"),
    ...datum("receiver", textAt(group, "receiver")),
    ...Object.keys(labels).flatMap((name) => datum(name, textAt(labels, name))),
  ];
}
