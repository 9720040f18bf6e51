// Serializes alerts, requests and heartbeats in the format of Opsgenie's API.
import { tinyIdOf } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { parseAlertPath } from "../../../products/paging/opsgenie.ts";
import { textAt, textOf } from "../../../products/reading/payload.ts";
import type { HeartbeatRow, OpsgenieAlertRow, RequestResult } from "./opsgenie-rows.ts";

type Integration = { readonly id: string; readonly name: string };

const iso = (at: number) => new Date(at).toISOString();

/** An alert in a list. */
export function toOpsgenieListAlert(
  row: OpsgenieAlertRow,
  { id: integrationId, name }: Integration,
) {
  const { id } = row;
  const isAcknowledged = row.status === "acknowledged";
  return {
    id,
    tinyId: tinyIdOf(id),
    alias: row.thirdpartyId ?? id,
    message: row.title,
    status: row.status === "resolved" ? "closed" : "open",
    acknowledged: isAcknowledged,
    isSeen: isAcknowledged,
    seen: isAcknowledged,
    tags: row.tags,
    snoozed: false,
    count: row.dedupCount + 1,
    lastOccurredAt: iso(row.updatedAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    source: datumOf(row, "source") ?? name,
    owner: "",
    priority: row.priority,
    responders: respondersOf(row),
    integration: { id: integrationId, name, type: "API" },
    report: reportOf(row),
  };
}

/** A single alert, with the fields that lists omit. */
export function toOpsgenieAlert(row: OpsgenieAlertRow, integration: Integration) {
  return {
    ...toOpsgenieListAlert(row, integration),
    actions: [],
    entity: datumOf(row, "entity") ?? "",
    description: row.description ?? "",
    details: detailsOf(row),
  };
}

const INCIDENT_FIELDS = ["incident", "incident_severity", "incident_message"];

function detailsOf({ meta }: OpsgenieAlertRow): Record<string, string> {
  const own = Object.entries(meta).filter(([name]) => !INCIDENT_FIELDS.includes(name));
  return Object.fromEntries(own.map(([name, value]) => [name, textOf(value) ?? ""]));
}

function datumOf({ additionalData }: OpsgenieAlertRow, label: string): string | null {
  return textOf(additionalData.find((datum) => textOf(datum.label) === label)?.value);
}

function respondersOf({ teamIds, accountUserIds }: OpsgenieAlertRow) {
  const of = (type: string, ids: readonly string[]) => ids.map((id) => ({ type, id }));
  return [...of("team", teamIds), ...of("user", accountUserIds)];
}

/** Time until the alert was acknowledged and closed (ms). */
function reportOf({ createdAt, acknowledgedAt, resolvedAt }: OpsgenieAlertRow) {
  return {
    ...(acknowledgedAt !== null && { ackTime: acknowledgedAt - createdAt }),
    ...(resolvedAt !== null && { closeTime: resolvedAt - createdAt }),
  };
}

const ACTIONS: Readonly<Record<string, string>> = {
  acknowledge: "Acknowledge",
  close: "Close",
  notes: "AddNote",
  unacknowledge: "UnAcknowledge",
  message: "UpdateMessage",
  description: "UpdateDescription",
  priority: "UpdatePriority",
};

/** Log messages and the status that the API returns for each. Some clients match these texts. */
const STATUSES: readonly (readonly [RegExp, boolean, string])[] = [
  [/^Created alert /, true, "Created alert"],
  [/^Counted on alert /, true, "Counted on the open alert"],
  [/^Acknowledged alert /, true, "Acknowledged alert"],
  [/^Unacknowledged alert /, true, "Unacknowledged alert"],
  [/^Changed alert /, true, "Updated alert"],
  [/^Resolved alert /, true, "Closed alert"],
  [/^Did not resolve /, true, "Closed a part of the alert"],
  [/^Noted on alert /, true, "Added note"],
  [/^Unmatched/, false, "There is no open alert with this identifier"],
  [/^Could not acknowledge /, false, "Alert is already acknowledged or closed"],
  [/^Could not unacknowledge /, false, "Alert is already unacknowledged or closed"],
  [/^Could not (?:change|resolve) /, false, "Alert is already closed"],
];

/** The status of a request; `integrationId` is the caller's. */
export function toOpsgenieRequestStatus(processed: RequestResult, integrationId: string) {
  const { message, settledAt, alertId, thirdpartyId } = processed;
  const [, success, status] = STATUSES.find(([pattern]) => pattern.test(message)) ?? [
    null,
    false,
    message.replace(/^(?:Ignored|Refused): /, ""),
  ];
  return {
    success,
    isSuccess: success,
    action: actionOf(processed),
    processedAt: iso(settledAt),
    integrationId,
    status,
    alertId: alertId ?? "",
    alias: thirdpartyId ?? "",
  };
}

function actionOf({ request }: RequestResult): string {
  const logged: unknown = request === null ? null : JSON.parse(request);
  const { identifier, action } = parseAlertPath(textAt(logged, "url") ?? "");
  if (identifier === null) return "Create";
  if (action !== null) return ACTIONS[action] ?? action;
  return textAt(logged, "method") === "DELETE" ? "Delete" : "Update";
}

/** A heartbeat, with its interval in minutes. */
export function toOpsgenieHeartbeat({ name, enabled, expired, options, urgency }: HeartbeatRow) {
  return {
    name,
    description: "",
    interval: Number(textAt(options, "interval_minutes") ?? 0),
    intervalUnit: "minutes",
    enabled,
    expired,
    ownerTeam: {},
    alertTags: [],
    alertPriority: PRIORITIES[urgency] ?? "P5",
    alertMessage: `${name}: no heartbeat`,
  };
}

const PRIORITIES: Readonly<Record<string, string>> = {
  critical: "P1",
  high: "P2",
  medium: "P3",
  low: "P4",
};
