// What every sender's type has in common: one reading for each payload of a request, made into an event. A type says
// only what its sender's fields mean; an event that counts always has a title, whatever the sender left out.
import { unlisted } from "./additional-data.ts";
import { type CreateFields, createEvent, followUp } from "./create-event.ts";
import type {
  Authentication,
  InboundEvent,
  InboundRequest,
  IntegrationType,
  OptionDescription,
  Options,
} from "./integration-type.ts";
import { fieldsOf, isPayload, type Payload, textAt } from "./payload.ts";

export type EventKind = "create" | "acknowledge" | "resolve";

/** What a payload means. `title` may be null: the type's own name stands in. */
export type Reading =
  | ({ readonly kind: EventKind } & CreateFields)
  | Extract<InboundEvent, { kind: "ignored" | "invalid" | "note" }>;

export type Told = { readonly request: InboundRequest; readonly options: Options };

type Sender = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly options?: readonly OptionDescription[];
  /** What it can say beside `create`. */
  readonly says: readonly ("acknowledge" | "resolve")[];
  readonly authentication?: Authentication;
  readonly check?: IntegrationType["check"];
  readonly sns?: boolean;
  /** Pure; never throws. `fields` are the query merged with one payload. */
  readonly read: (fields: Payload, told: Told) => Reading;
};

/** The most payloads that one request may carry in a list. */
const MAX_PAYLOADS = 1_000;

/** A type that reads one payload at a time; a list of payloads is as many events. */
export function sender({ read, says, options = [], ...rest }: Sender): IntegrationType {
  const translate = (request: InboundRequest, given: Options): readonly InboundEvent[] =>
    eachPayload(request, (one) => {
      const fields = fieldsOf(one);
      return eventOf(read(fields, { request: one, options: given }), rest.title, fields, given);
    });
  const supports = {
    create: true,
    acknowledge: says.includes("acknowledge"),
    resolve: says.includes("resolve"),
  };
  return { ...rest, options, supports, translate };
}

/** Reads each payload of a request: a list of objects is as many requests with the same query and headers. */
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
      return reading;
    case "create": {
      const data = reading.additionalData ?? [];
      const labels = data.map((it) => it.label);
      const rest = options.capture_additional_data === true ? unlisted(fields, labels) : [];
      const title = reading.title?.trim() ? reading.title : `${name} alert`;
      const thirdpartyId = identityOf(reading, fields);
      return createEvent({ ...reading, thirdpartyId, title, additionalData: [...data, ...rest] });
    }
    default: {
      const thirdpartyId = identityOf(reading, fields);
      const { kind, dedupKeys = [] } = reading;
      // It could never find its alert: to answer 200 would hide that from whoever set the sender up.
      if (thirdpartyId === null && dedupKeys.length === 0) return unidentified(kind);
      const event = followUp(kind, thirdpartyId, dedupKeys);
      return reading.reference ? { ...event, reference: reading.reference } : event;
    }
  }
}

/** Names of an identifier in the payloads of more than one sender, used where the type's own field is missing. */
const COMMON_IDENTIFIERS = ["id", "incident_key", "dedup_key", "alias"];

/**
 * The identifier that the type read, else one under a common name: a create under a fresh id can never be resolved. A
 * boolean identifies nothing.
 */
function identityOf({ thirdpartyId }: CreateFields, fields: Payload): string | null {
  const candidates = [thirdpartyId, ...COMMON_IDENTIFIERS.map((name) => textAt(fields, name))];
  return candidates.find((it) => it !== null && it !== "true" && it !== "false") ?? null;
}

function unidentified(kind: EventKind): InboundEvent {
  const message = `the payload has no identifier of the alert to ${kind}`;
  return { kind: "invalid", errors: [{ message }] };
}

/** What a sender's word for a state means to us, in any case; null when it means nothing. */
export function kindOf(
  word: string | null,
  words: Readonly<Partial<Record<EventKind, readonly string[]>>>,
): EventKind | null {
  const said = word?.toLowerCase();
  const kinds = ["create", "acknowledge", "resolve"] as const;
  return kinds.find((kind) => words[kind]?.some((one) => one.toLowerCase() === said)) ?? null;
}

/** A state that is none of ours: answered 200. Without any state the payload is not the sender's: 422. */
export function notForUs(field: string, word: string | null): Reading {
  if (word === null) return unread(field);
  return { kind: "ignored", reason: `${field} ${word.slice(0, 100)} opens and ends nothing` };
}

/** A payload that lacks what every one of this sender's has. */
export function unread(field: string): Reading {
  return { kind: "invalid", errors: [{ message: `${field} is missing`, field }] };
}

/** Texts that are there, one below the other; null for none. */
export function paragraphs(...texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join("\n\n") || null;
}
