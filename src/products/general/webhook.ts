// The generic webhook (contract 7, The receiver; contract 3): the service's own payload format,
// which Uptime Kuma, Apprise, LibreNMS, Healthchecks, ElastAlert and others send unchanged.

import { own } from "../../domain/shared/own.ts";
import { createEvent, followUp } from "../create-event.ts";
import type {
  InboundEvent,
  InboundRequest,
  IntegrationType,
  Options,
} from "../integration-type.ts";
import { unlistedData } from "../reading/additional-data.ts";
import {
  fieldsOf,
  fieldsSpelled,
  type Payload,
  payloadAt,
  tagsOf,
  textAt,
  textOf,
  textsOf,
} from "../reading/payload.ts";
import { urgencyInText } from "../reading/severity.ts";
import { eachPayload } from "../sender-type.ts";

const EVENT_TYPES: Readonly<Record<string, "create" | "acknowledge" | "resolve">> = {
  create: "create",
  created: "create",
  trigger: "create",
  triggered: "create",
  acknowledge: "acknowledge",
  acknowledged: "acknowledge",
  ack: "acknowledge",
  resolve: "resolve",
  resolved: "resolve",
};

/** The fields that map to alert fields; all others are additional data. */
const ALERT_FIELDS = [
  "event_type",
  "id",
  "title",
  "description",
  "urgency",
  "tags",
  "meta",
  "dedup_keys",
] as const;
/** `incident_key` is an alias of the `Id`, and still shown as additional data. */
const READ = [...ALERT_FIELDS, "incident_key"];

export const webhook: IntegrationType = {
  name: "webhook",
  title: "Webhook",
  description:
    "Any tool that can send JSON with event_type (create, acknowledge, resolve), Id and Title.",
  options: [],
  supports: { create: true, acknowledge: true, resolve: true },
  translate: (request, options) => eachPayload(request, (one) => translate(one, options)),
};

function translate(request: InboundRequest, options: Options): InboundEvent {
  const fields = fieldsSpelled(fieldsOf(request), READ, (key) => key.toLowerCase());
  const kind = eventTypeOf(fields);
  if (kind === null) return unknownEventType(request);
  const thirdpartyId = identifierOf(fields.id) ?? identifierOf(fields.incident_key);
  const dedupKeys = textsOf(fields.dedup_keys);
  if (kind !== "create") return followUp(kind, thirdpartyId, dedupKeys);
  return createEvent({
    thirdpartyId,
    title: textAt(fields, "title"),
    description: textAt(fields, "description"),
    urgency: urgencyInText(textAt(fields, "urgency"), options),
    tags: tagsOf(fields.tags),
    meta: payloadAt(fields, "meta"),
    dedupKeys,
    additionalData:
      options.capture_additional_data === true ? unlistedData(fields, ALERT_FIELDS) : [],
  });
}

function eventTypeOf(fields: Payload): "create" | "acknowledge" | "resolve" | null {
  const word = textAt(fields, "event_type")?.toLowerCase() ?? "";
  return own(EVENT_TYPES, word) ?? null;
}

/** A boolean is not an identifier: it would merge all of the sender's events into one alert. */
function identifierOf(value: unknown): string | null {
  return typeof value === "boolean" ? null : textOf(value);
}

function unknownEventType(request: InboundRequest): InboundEvent {
  const isUnparsed = request.body === null && request.text.trim() !== "";
  return {
    kind: "invalid",
    errors: [
      ...(isUnparsed ? [{ message: "the body is neither JSON nor form-encoded" }] : []),
      { message: "event_type must be create, acknowledge or resolve", field: "event_type" },
    ],
  };
}
