// The common part of sender types: translates each payload of a request into one event. A type only
// defines what its sender's fields mean. Every created alert has a title.

import { type CreateFields, createEvent, followUp } from "./create-event.ts";
import type {
  Authentication,
  InboundEvent,
  InboundRequest,
  IntegrationType,
  OptionDescription,
  Options,
} from "./integration-type.ts";
import { unlistedData } from "./reading/additional-data.ts";
import { fieldsOf, isPayload, type Payload, textAt } from "./reading/payload.ts";

export type EventKind = "create" | "acknowledge" | "resolve";

/** What a payload means. If `title` is null, the type's title is used. */
export type Reading =
  | ({ readonly kind: EventKind } & CreateFields)
  | Extract<InboundEvent, { kind: "ignored" | "invalid" | "note" | "change" | "unacknowledge" }>;

/** The request and the integration's options. */
export type ReadContext = { readonly request: InboundRequest; readonly options: Options };

/** The definition of a sender type. */
type Sender = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly options?: readonly OptionDescription[];
  /** The event kinds it supports in addition to `create`. */
  readonly says: readonly ("acknowledge" | "resolve")[];
  readonly authentication?: Authentication;
  readonly check?: IntegrationType["check"];
  readonly sns?: boolean;
  /** Reads one payload. Pure; never throws. `fields` are the query merged with the payload. */
  readonly read: (fields: Payload, context: ReadContext) => Reading;
};

/** The maximum number of payloads in one request. */
const MAX_PAYLOADS = 1_000;

/** Builds a type that reads one payload at a time; a list of payloads gives one event each. */
export function createSenderType({ read, says, options = [], ...rest }: Sender): IntegrationType {
  const translate = (request: InboundRequest, values: Options): readonly InboundEvent[] =>
    eachPayload(request, (one) => {
      const fields = fieldsOf(one);
      return eventOf(read(fields, { request: one, options: values }), rest.title, fields, values);
    });
  const supports = {
    create: true,
    acknowledge: says.includes("acknowledge"),
    resolve: says.includes("resolve"),
  };
  return { ...rest, options, supports, translate };
}

/**
 * Applies `read` to each payload: a list of objects counts as that many requests with the same
 * query and headers.
 */
export function eachPayload(
  request: InboundRequest,
  read: (one: InboundRequest) => InboundEvent | readonly InboundEvent[],
): readonly InboundEvent[] {
  const { body } = request;
  if (!Array.isArray(body) || body.length === 0 || !body.every(isPayload)) {
    return [read(request)].flat();
  }
  if (body.length > MAX_PAYLOADS) {
    return [{ kind: "invalid", errors: [{ message: `more than ${MAX_PAYLOADS} events` }] }];
  }
  return body.flatMap((one) => read({ ...request, body: one }));
}

function eventOf(reading: Reading, name: string, fields: Payload, options: Options): InboundEvent {
  switch (reading.kind) {
    case "ignored":
    case "invalid":
    case "note":
    case "change":
    case "unacknowledge":
      return reading;
    case "create": {
      const data = reading.additionalData ?? [];
      const labels = data.map((it) => it.label);
      const rest = options.capture_additional_data === true ? unlistedData(fields, labels) : [];
      const title = reading.title?.trim() ? reading.title : `${name} alert`;
      const thirdpartyId = identityOf(reading, fields);
      return createEvent({ ...reading, thirdpartyId, title, additionalData: [...data, ...rest] });
    }
    default: {
      const thirdpartyId = identityOf(reading, fields);
      const { kind, dedupKeys = [], members } = reading;
      // It could never match an alert; a 200 would hide the misconfiguration from its owner.
      if (thirdpartyId === null && dedupKeys.length === 0) return missingIdentifier(kind);
      const ended = kind === "resolve" ? members?.names : [];
      const event = followUp(kind, thirdpartyId, dedupKeys, ended);
      return reading.reference ? { ...event, reference: reading.reference } : event;
    }
  }
}

/** Common names of identifiers, used if the type's own field is missing. */
const COMMON_IDENTIFIERS = ["id", "incident_key", "dedup_key", "alias"];

/**
 * The identifier that the type read, else one with a common name: an alert with a generated
 * identifier can never be resolved. A boolean does not identify anything.
 */
function identityOf({ thirdpartyId }: CreateFields, fields: Payload): string | null {
  const candidates = [thirdpartyId, ...COMMON_IDENTIFIERS.map((name) => textAt(fields, name))];
  return candidates.find((it) => it !== null && it !== "true" && it !== "false") ?? null;
}

function missingIdentifier(kind: EventKind): InboundEvent {
  const message = `the payload has no identifier of the alert to ${kind}`;
  return { kind: "invalid", errors: [{ message }] };
}

/** Maps a sender's state word to an event kind, case-insensitively; null if it is not listed. */
export function kindOf(
  word: string | null,
  words: Readonly<Partial<Record<EventKind, readonly string[]>>>,
): EventKind | null {
  const lowered = word?.toLowerCase();
  const kinds = ["create", "acknowledge", "resolve"] as const;
  return kinds.find((kind) => words[kind]?.some((one) => one.toLowerCase() === lowered)) ?? null;
}

/**
 * Ignores an unlisted state (200). A missing state means the payload is not this sender's (422).
 */
export function ignoreState(field: string, word: string | null): Reading {
  if (word === null) return missingField(field);
  return { kind: "ignored", reason: `${field} ${word.slice(0, 100)} opens and ends nothing` };
}

/** Rejects a payload that lacks a field that all payloads of this sender have. */
export function missingField(field: string): Reading {
  return { kind: "invalid", errors: [{ message: `${field} is missing`, field }] };
}

/** Joins the non-null texts with blank lines; null if there are none. */
export function joinParagraphs(...texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join("\n\n") || null;
}
