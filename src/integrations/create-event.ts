// Building a `create` event: what every type needs done to what it read. Texts, tags, keys and data are
// bounded here, once; a title is the only thing that must be there.
import { type AlertUrgency, INCIDENT_SEVERITIES } from "../domain/alert.ts";
import type { AlertReference } from "../domain/opsgenie-identifiers.ts";
import { boundedJson, bytesOfJson } from "./bounded-json.ts";
import {
  boundedIdentifier,
  boundedText,
  boundedWords,
  MAX_DATA_BYTES,
  MAX_DATUM,
  MAX_ITEMS,
  MAX_LABEL,
  MAX_META_BYTES,
  MAX_TAG,
} from "./bounds.ts";
import type { AdditionalDatum, CreateEvent, InboundEvent } from "./integration-type.ts";
import { isYes, type Payload, textAt } from "./payload.ts";

/** What a type has read; whatever is left out is as if the sender had not said it. */
export type CreateFields = {
  readonly thirdpartyId: string | null;
  readonly title: string | null;
  readonly description?: string | null;
  readonly urgency?: AlertUrgency | null;
  readonly tags?: readonly string[];
  /** The sender's free hash, with or without the three incident flags in it. */
  readonly meta?: Payload;
  readonly dedupKeys?: readonly string[];
  /** Of an acknowledge or resolve: the alert, where it is named by what we answered. */
  readonly reference?: AlertReference | null;
  readonly additionalData?: readonly AdditionalDatum[];
};

/** A `create` event within every limit; `invalid`, naming `title`, when there is no title. */
export function createEvent(fields: CreateFields): CreateEvent | InboundEvent {
  if (!fields.title?.trim()) {
    return { kind: "invalid", errors: [{ message: "title can't be blank", field: "title" }] };
  }
  const meta = fields.meta ?? {};
  return {
    kind: "create",
    thirdpartyId: fields.thirdpartyId && boundedIdentifier(fields.thirdpartyId),
    ...boundedWords(fields.title, fields.description ?? null),
    urgency: fields.urgency ?? null,
    tags: unique((fields.tags ?? []).map((tag) => boundedText(tag, MAX_TAG))),
    ...incidentFlags(meta),
    meta: freeMeta(meta),
    dedupKeys: boundedKeys(fields.dedupKeys ?? []),
    additionalData: fittingData(
      (fields.additionalData ?? []).slice(0, MAX_ITEMS).map(boundedDatum),
    ),
  };
}

type FollowUp = Extract<InboundEvent, { kind: "acknowledge" | "resolve" }>;

/** An `acknowledge` or `resolve`, its identifiers bounded exactly as those of the `create` were. */
export function followUp(
  kind: "acknowledge" | "resolve",
  thirdpartyId: string | null,
  dedupKeys: readonly string[] = [],
): FollowUp {
  return {
    kind,
    thirdpartyId: thirdpartyId && boundedIdentifier(thirdpartyId),
    dedupKeys: boundedKeys(dedupKeys),
  };
}

/**
 * The incident flags of a meta hash. An incident whose severity is missing or unknown is `SEV-UNKNOWN`:
 * contract 3. `sev1`, `SEV_1` and `1` are `SEV-1`.
 */
function incidentFlags(
  meta: Payload,
): Pick<CreateEvent, "incident" | "incidentSeverity" | "incidentMessage"> {
  const incident = isYes(meta.incident);
  const written = textAt(meta, "incident_severity")?.toUpperCase() ?? "";
  const severity = `SEV-${written.replace(/^SEV(?:ERITY)?[-_ ]?/, "")}`;
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
  return boundedJson(Object.fromEntries(free), MAX_META_BYTES) as Payload;
}

/**
 * The first data that fit into the room there is. Control characters and quotes take several times their length
 * once they are JSON within JSON, and what no database takes would never be handed on.
 */
function fittingData(data: readonly AdditionalDatum[]): readonly AdditionalDatum[] {
  let room = MAX_DATA_BYTES;
  return data.filter((datum) => {
    room -= bytesOfJson(JSON.stringify(datum));
    return room >= 0;
  });
}

function boundedDatum({ format, label, value }: AdditionalDatum): AdditionalDatum {
  return { format, label: boundedText(label, MAX_LABEL), value: boundedText(value, MAX_DATUM) };
}

function boundedKeys(keys: readonly string[]): readonly string[] {
  return unique(keys.map(boundedIdentifier));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].slice(0, MAX_ITEMS);
}
