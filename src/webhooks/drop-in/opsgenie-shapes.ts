// Serializes alerts, requests and heartbeats in the format of Opsgenie's API.
import type { RawRow } from "../../db/records/attributes.ts";
import { tinyIdOf } from "../../domain/integrations/opsgenie-identifiers.ts";
import { isPayload, listAt, textAt, textOf } from "../../integrations/reading/payload.ts";
import { parseAlertPath } from "../../integrations/types/paging/opsgenie.ts";

type Integration = { readonly id: string; readonly name: string };

const iso = (at: unknown) => new Date(Number(at)).toISOString();

const jsonIn = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : null);

/** An alert in a list. */
export function toOpsgenieListAlert(row: RawRow, { id: integrationId, name }: Integration) {
  const id = String(row.id);
  const isAcknowledged = row.status === "acknowledged";
  return {
    id,
    tinyId: tinyIdOf(id),
    alias: row.thirdparty_id ?? id,
    message: row.title,
    status: row.status === "resolved" ? "closed" : "open",
    acknowledged: isAcknowledged,
    isSeen: isAcknowledged,
    seen: isAcknowledged,
    tags: jsonIn(row.tags),
    snoozed: false,
    count: Number(row.dedup_count) + 1,
    lastOccurredAt: iso(row.updated_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    source: datumOf(row, "source") ?? name,
    owner: "",
    priority: row.priority,
    responders: respondersOf(row),
    integration: { id: integrationId, name, type: "API" },
    report: reportOf(row),
  };
}

/** A single alert, with the fields that lists omit. */
export function toOpsgenieAlert(row: RawRow, integration: Integration) {
  return {
    ...toOpsgenieListAlert(row, integration),
    actions: [],
    entity: datumOf(row, "entity") ?? "",
    description: row.description ?? "",
    details: detailsOf(row),
  };
}

const INCIDENT_FIELDS = ["incident", "incident_severity", "incident_message"];

function detailsOf(row: RawRow): Record<string, string> {
  const meta = jsonIn(row.meta);
  const entries = Object.entries(isPayload(meta) ? meta : {});
  const own = entries.filter(([name]) => !INCIDENT_FIELDS.includes(name));
  return Object.fromEntries(own.map(([name, value]) => [name, textOf(value) ?? ""]));
}

function datumOf(row: RawRow, label: string): string | null {
  const data = listAt(jsonIn(row.additional_data));
  return textAt(
    data.find((datum) => textAt(datum, "label") === label),
    "value",
  );
}

function respondersOf(row: RawRow) {
  const of = (type: string, ids: unknown) =>
    listAt(jsonIn(ids)).map((id) => ({ type, id: String(id) }));
  return [...of("team", row.team_ids), ...of("user", row.account_user_ids)];
}

/** Time until the alert was acknowledged and closed (ms). */
function reportOf(row: RawRow) {
  const since = (at: unknown) => Number(at) - Number(row.created_at);
  return {
    ...(row.acknowledged_at != null && { ackTime: since(row.acknowledged_at) }),
    ...(row.resolved_at != null && { closeTime: since(row.resolved_at) }),
  };
}

/** The stored result of a request. */
export type RequestResult = {
  readonly message: string;
  readonly settledAt: number;
  /** The request as logged, as JSON. */
  readonly request: string | null;
  readonly alertId: string | null;
  readonly thirdpartyId: string | null;
};

const ACTIONS: Readonly<Record<string, string>> = {
  acknowledge: "Acknowledge",
  close: "Close",
  notes: "AddNote",
};

/** Log messages and the status that the API returns for each. Some clients match these texts. */
const STATUSES: readonly (readonly [RegExp, boolean, string])[] = [
  [/^Created alert /, true, "Created alert"],
  [/^Counted on alert /, true, "Counted on the open alert"],
  [/^Acknowledged alert /, true, "Acknowledged alert"],
  [/^Resolved alert /, true, "Closed alert"],
  [/^Noted on alert /, true, "Added note"],
  [/^Unmatched/, false, "There is no open alert with this identifier"],
  [/^Could not acknowledge /, false, "Alert is already acknowledged or closed"],
  [/^Could not resolve /, false, "Alert is already closed"],
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
  const logged = jsonIn(request);
  const { identifier, action } = parseAlertPath(textAt(logged, "url") ?? "");
  if (identifier === null) return "Create";
  if (action !== null) return ACTIONS[action] ?? action;
  return textAt(logged, "method") === "DELETE" ? "Delete" : "Update";
}

/** A heartbeat, with its interval in minutes. */
export function toOpsgenieHeartbeat(row: RawRow) {
  return {
    name: row.name,
    description: "",
    interval: Number(textAt(jsonIn(row.options), "interval_minutes") ?? 0),
    intervalUnit: "minutes",
    enabled: row.enabled === 1,
    expired: row.expired === 1,
    ownerTeam: {},
    alertTags: [],
    alertPriority: PRIORITIES[String(row.urgency)] ?? "P5",
    alertMessage: `${row.name}: no heartbeat`,
  };
}

const PRIORITIES: Readonly<Record<string, string>> = {
  critical: "P1",
  high: "P2",
  medium: "P3",
  low: "P4",
};
