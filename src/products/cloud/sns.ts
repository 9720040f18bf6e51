// Unwraps AWS SNS deliveries. SNS posts JSON as text/plain, so a delivery is recognized by its
// content; its signature is verified before a type reads it.

import { isJsonObject } from "../../domain/shared/json.ts";
import type { InboundRequest } from "../integration-type.ts";
import { parseJsonObject } from "../reading/inbound.ts";
import { type Payload, textAt, textOf } from "../reading/payload.ts";

/** Limit on attributes shown: a time series has one for each of its query's grouping keys. */
const MAX_ATTRIBUTES = 10;

/** The fields of an SNS delivery, or null if the request is not one. */
export function snsEnvelope(request: InboundRequest): Payload | null {
  const { body } = request;
  if (!isJsonObject(body)) return null;
  const isSns = textAt(body, "TopicArn") !== null && textAt(body, "Type") !== null;
  return isSns ? body : null;
}

/** The published message, parsed if it is JSON, else as `text`. */
function publishedIn(envelope: Payload): Payload {
  const message = envelope.Message;
  if (isJsonObject(message)) return message;
  return parseJsonObject(message) ?? { text: typeof message === "string" ? message : "" };
}

/** The published fields and the topic; a request that is not from SNS is returned as is. */
export function publishedFields(fields: Payload): {
  readonly message: Payload;
  readonly topic: string | null;
} {
  const topic = textAt(fields, "TopicArn");
  const wrapped = topic !== null && textAt(fields, "Type") === "Notification";
  return wrapped ? { message: publishedIn(fields), topic } : { message: fields, topic: null };
}

/** For types that accept SNS: why a subscription message is ignored; null for other messages. */
export function subscriptionReason(fields: Payload): string | null {
  const type = textAt(fields, "Type") ?? "";
  return /^(?:Subscription|Unsubscribe)Confirmation$/.test(type) ? `AWS SNS: ${type}` : null;
}

/**
 * A metric's dimensions in one line, from a list of names and values or from an object; null if
 * empty.
 */
export function dimensionsIn(dimensions: unknown): string | null {
  const pairs = Array.isArray(dimensions)
    ? dimensions.map((one) => [textAt(one, "name"), textAt(one, "value")] as const)
    : Object.entries(isJsonObject(dimensions) ? dimensions : {}).map(
        ([name, value]) => [name, textOf(value)] as const,
      );
  const named = pairs.slice(0, MAX_ATTRIBUTES).filter(([name]) => name !== null);
  return named.map(([name, value]) => `${name}=${value ?? ""}`).join(", ") || null;
}

/** An alarm's name and the attributes of its time series: `name (host=web1)`. */
export function contributorTitle(name: string, attributes: Payload): string {
  const names = Object.keys(attributes).slice(0, MAX_ATTRIBUTES);
  const pairs = names.map((key) => `${key}=${textAt(attributes, key)}`).join(", ");
  return pairs === "" ? name : `${name} (${pairs})`;
}
