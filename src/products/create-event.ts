// Builds events within the size limits from what a type's reader found. Only the title is required.

import {
  type AdditionalDatum,
  type AlertUrgency,
  INCIDENT_SEVERITIES,
} from "../domain/alerts/alert.ts";
import type { ReportedMembers } from "../domain/alerts/commands.ts";
import { MAX_MEMBERS } from "../domain/alerts/members.ts";
import type { AlertReference } from "../domain/integrations/opsgenie-identifiers.ts";
import type { CreateEvent, InboundEvent } from "./integration-type.ts";
import { jsonByteLength, truncateJson } from "./reading/bounded-json.ts";
import {
  boundIdentifier,
  boundText,
  boundTexts,
  checksum,
  MAX_DATA_BYTES,
  MAX_DATUM,
  MAX_ITEMS,
  MAX_LABEL,
  MAX_MEMBER,
  MAX_META_BYTES,
  MAX_TAG,
} from "./reading/bounds.ts";
import { meansYes, type Payload, textAt } from "./reading/payload.ts";

/** The fields of an event; a field that is left out is unset. */
export type CreateFields = {
  readonly thirdpartyId: string | null;
  readonly title: string | null;
  readonly description?: string | null;
  readonly urgency?: AlertUrgency | null;
  readonly tags?: readonly string[];
  /** The sender's `meta`, with or without the three incident fields. */
  readonly meta?: Payload;
  readonly dedupKeys?: readonly string[];
  /** For acknowledge and resolve: the alert, if the sender names it by an id from our responses. */
  readonly reference?: AlertReference | null;
  readonly additionalData?: readonly AdditionalDatum[];
  /** What fires; of a resolve, what has ended. */
  readonly members?: ReportedMembers;
  readonly warning?: string;
};

/** A `create` event within all limits; `invalid`, naming `title`, if there is no title. */
export function createEvent(fields: CreateFields): CreateEvent | InboundEvent {
  if (!fields.title?.trim()) {
    return { kind: "invalid", errors: [{ message: "title can't be blank", field: "title" }] };
  }
  const meta = fields.meta ?? {};
  return {
    kind: "create",
    thirdpartyId: fields.thirdpartyId && boundIdentifier(fields.thirdpartyId),
    ...boundTexts(fields.title, fields.description ?? null),
    urgency: fields.urgency ?? null,
    tags: unique((fields.tags ?? []).map((tag) => boundText(tag, MAX_TAG))),
    ...incidentFlags(meta),
    meta: freeMeta(meta),
    dedupKeys: boundedKeys(fields.dedupKeys ?? []),
    additionalData: fittingData(
      (fields.additionalData ?? []).slice(0, MAX_ITEMS).map(boundedDatum),
    ),
    ...(fields.members && fields.members.names.length > 0 && boundMembers(fields.members)),
    ...(fields.warning && { warning: fields.warning }),
  };
}

const boundNames = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => boundIdentifier(name, MAX_MEMBER))),
];

/** The first members. The sender's instance is only compared. */
function boundMembers({ names, ended = [], from, isPartial }: ReportedMembers) {
  const all = boundNames(names);
  const members: ReportedMembers = {
    names: all.slice(0, MAX_MEMBERS),
    ...(ended.length > 0 && { ended: boundNames(ended).slice(0, MAX_MEMBERS) }),
    ...(from && { from: checksum(from) }),
    ...((isPartial || all.length > MAX_MEMBERS) && { isPartial: true }),
  };
  return { members };
}

type FollowUp = Extract<InboundEvent, { kind: "acknowledge" | "resolve" }>;

/**
 * An `acknowledge` or `resolve` event; its identifiers are truncated as those of `create` are.
 *
 * @param members what has ended; empty if the sender does not name it
 */
export function followUp(
  kind: "acknowledge" | "resolve",
  thirdpartyId: string | null,
  dedupKeys: readonly string[] = [],
  members: readonly string[] = [],
): FollowUp {
  const ended = boundNames(members);
  return {
    kind,
    thirdpartyId: thirdpartyId && boundIdentifier(thirdpartyId),
    dedupKeys: boundedKeys(dedupKeys),
    // Of more than are stored, it cannot be known what is left.
    ...(ended.length > 0 && ended.length <= MAX_MEMBERS && { ended }),
  };
}

/**
 * The incident fields of `meta`. An incident with a missing or unknown severity is `SEV-UNKNOWN`
 * (contract 3). `sev1`, `SEV_1` and `1` are read as `SEV-1`.
 */
function incidentFlags(
  meta: Payload,
): Pick<CreateEvent, "incident" | "incidentSeverity" | "incidentMessage"> {
  const incident = meansYes(meta.incident);
  const sent = textAt(meta, "incident_severity")?.toUpperCase() ?? "";
  const severity = `SEV-${sent.replace(/^SEV(?:ERITY)?[-_ ]?/, "")}`;
  const known = INCIDENT_SEVERITIES.find((one) => one === severity) ?? null;
  return {
    incident,
    incidentSeverity: known ?? (incident ? "SEV-UNKNOWN" : null),
    incidentMessage: textAt(meta, "incident_message"),
  };
}

function freeMeta(meta: Payload): Payload {
  const flags = ["incident", "incident_severity", "incident_message", "__proto__"];
  const free = Object.entries(meta).filter(([key]) => !flags.includes(key));
  return truncateJson(Object.fromEntries(free), MAX_META_BYTES) as Payload;
}

/**
 * The leading data that fit into `MAX_DATA_BYTES`. Control characters and quotes grow several times
 * when JSON is nested in JSON, and a row over D1's limit could never be written.
 */
function fittingData(data: readonly AdditionalDatum[]): readonly AdditionalDatum[] {
  let remaining = MAX_DATA_BYTES;
  return data.filter((datum) => {
    remaining -= jsonByteLength(JSON.stringify(datum));
    return remaining >= 0;
  });
}

function boundedDatum({ format, label, value }: AdditionalDatum): AdditionalDatum {
  return { format, label: boundText(label, MAX_LABEL), value: boundText(value, MAX_DATUM) };
}

function boundedKeys(keys: readonly string[]): readonly string[] {
  return unique(keys.map((key) => boundIdentifier(key)));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].slice(0, MAX_ITEMS);
}
