// The common part of sender types: translates each payload of a request into one event. A type only
// defines what its sender's fields mean. Every created alert has a title.

import { isJsonObject } from "../domain/shared/json.ts";
import { type CreateFields, createEvent, followUp } from "./create-event.ts";
import type {
  Authentication,
  InboundEvent,
  InboundRequest,
  IntegrationType,
  OptionDescription,
  Options,
} from "./integration-type.ts";
import { remainingData, unlistedData } from "./reading/additional-data.ts";
import { fieldsOf, type Payload, textAt, valueAt } from "./reading/payload.ts";

export type EventKind = "create" | "acknowledge" | "resolve";

/** What a payload means. If `title` is null, the type's title is used. */
export type Reading =
  | ({
      readonly kind: EventKind;
      /** The object whose other fields the alert shows: the payload by default, null = none. */
      readonly rest?: Payload | null;
    } & CreateFields)
  | Extract<InboundEvent, { kind: "ignored" | "invalid" | "note" | "change" | "unacknowledge" }>;

type IgnoredReading = Extract<InboundEvent, { kind: "ignored" }>;
type InvalidReading = Extract<InboundEvent, { kind: "invalid" }>;

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
  readonly acceptsGet?: true;
  readonly sns?: boolean;
  readonly repeats?: IntegrationType["repeats"];
  readonly leavesOut?: IntegrationType["leavesOut"];
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
      return eventOf(read(fields, { request: one, options: values }), rest, fields, values);
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
  if (!Array.isArray(body) || body.length === 0 || !body.every(isJsonObject)) {
    return [read(request)].flat();
  }
  if (body.length > MAX_PAYLOADS) {
    return [{ kind: "invalid", errors: [{ message: `more than ${MAX_PAYLOADS} events` }] }];
  }
  return body.flatMap((one) => read({ ...request, body: one }));
}

function eventOf(
  reading: Reading,
  type: Pick<Sender, "title" | "leavesOut">,
  fields: Payload,
  options: Options,
): InboundEvent {
  switch (reading.kind) {
    case "ignored":
    case "invalid":
    case "note":
    case "change":
    case "unacknowledge":
      return reading;
    case "create": {
      const data = reading.additionalData ?? [];
      const title = reading.title?.trim() ? reading.title : `${type.title} alert`;
      const thirdpartyId = identityOf(reading, fields);
      const { rest = fields, description, tags = [], dedupKeys = [] } = reading;
      const texts = [title, description, thirdpartyId, ...tags, ...dedupKeys];
      const shown = { texts: texts.flatMap((text) => text ?? []), data };
      const labels = data.map((it) => it.label);
      const others =
        options.capture_additional_data === true
          ? unlistedData(fields, labels)
          : remainingData(rest ?? {}, shown, type.leavesOut);
      return createEvent({ ...reading, thirdpartyId, title, additionalData: [...data, ...others] });
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

/** What a sender's state words mean, in any case. */
type StateWords = Readonly<Partial<Record<EventKind, readonly string[]>>> & {
  /** Words of this sender that neither open nor end anything. */
  readonly ignore?: readonly string[];
  /** Set if the sender reports only troubles: any other word opens an alert. */
  readonly others?: "create";
};

/**
 * The event kind of a state word, or what becomes of the event without one: a listed word is
 * ignored, an unknown one is a warning or opens an alert (contract 7, Senders). A missing state
 * means that the payload is not this sender's.
 */
export function readState(
  field: string,
  word: string | null,
  words: StateWords,
): EventKind | IgnoredReading | InvalidReading {
  if (word === null) return missingField(field);
  const kind = kindOf(word, words);
  if (kind !== null) return kind;
  const isOpening = words.others !== undefined && !isListed(word, words.ignore);
  return isOpening ? words.others : readOther(field, word, words.ignore);
}

/** Ignores a listed type of notification, and warns of any other. */
export function readOther(
  field: string,
  word: string | null,
  known: readonly string[] = [],
): IgnoredReading | InvalidReading {
  if (word === null) return missingField(field);
  return isListed(word, known) ? ignoreState(field, word) : unknownState(field, word);
}

/** Maps a sender's state word to an event kind; null if it is not listed. */
export function kindOf(word: string | null, words: StateWords): EventKind | null {
  const kinds = ["create", "acknowledge", "resolve"] as const;
  return kinds.find((kind) => isListed(word, words[kind])) ?? null;
}

const isListed = (word: string | null, words: readonly string[] = []): boolean =>
  words.some((one) => one.toLowerCase() === word?.toLowerCase());

/** Ignores a state that is known to open and end nothing. */
export function ignoreState(field: string, word: string): IgnoredReading {
  return { kind: "ignored", reason: `${field} ${word.slice(0, 100)} opens and ends nothing` };
}

/** Warns of a state, or a type of notification, that this type does not know. */
function unknownState(field: string, word: string): IgnoredReading {
  const reason = `unknown ${field} ${word.slice(0, 100)}`;
  return { kind: "ignored", reason, isUnknown: true };
}

/** Rejects a payload that lacks a field that all payloads of this sender have. */
export function missingField(field: string): InvalidReading {
  return { kind: "invalid", errors: [{ message: `${field} is missing`, field }] };
}

/**
 * Whether a ticket's assignee was sent and is empty: assigned to a group at most, it is nobody's
 * yet, and an acknowledgement would end the escalation (contract 7, Senders).
 */
export const isUnassigned = (fields: Payload, name: string): boolean =>
  valueAt(fields, name) !== undefined && textAt(fields, name) === null;

/** Joins the non-null texts with blank lines; null if there are none. */
export function joinParagraphs(...texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join("\n\n") || null;
}
