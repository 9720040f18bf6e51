// What AWS SNS wraps a message in. It posts JSON as text/plain, so a body is known by its content; whether it is
// really from AWS is judged before a type reads it.
import { objectIn } from "./inbound.ts";
import type { InboundRequest } from "./integration-type.ts";
import { isPayload, type Payload, textAt, textOf } from "./payload.ts";

/** A time series has as many as its query groups by. */
const MOST_ATTRIBUTES = 10;

/** The fields of an SNS delivery, or null when the request is none. */
export function snsEnvelope(request: InboundRequest): Payload | null {
  const { body } = request;
  if (!isPayload(body)) return null;
  const isSns = textAt(body, "TopicArn") !== null && textAt(body, "Type") !== null;
  return isSns ? body : null;
}

/** What was published: the message as JSON where it is some, else as text under `text`. */
function publishedIn(envelope: Payload): Payload {
  const message = envelope.Message;
  if (isPayload(message)) return message;
  return objectIn(message) ?? { text: typeof message === "string" ? message : "" };
}

/** The fields that were published, whether through SNS (with its topic) or sent as they are. */
export function publishedFields(fields: Payload): {
  readonly message: Payload;
  readonly topic: string | null;
} {
  const topic = textAt(fields, "TopicArn");
  const wrapped = topic !== null && textAt(fields, "Type") === "Notification";
  return wrapped ? { message: publishedIn(fields), topic } : { message: fields, topic: null };
}

/** For a type that comes through SNS: why a delivery that is no notification opens nothing; else null. */
export function subscriptionReason(fields: Payload): string | null {
  const type = textAt(fields, "Type") ?? "";
  return /^(?:Subscription|Unsubscribe)Confirmation$/.test(type) ? `AWS SNS: ${type}` : null;
}

/** A metric's dimensions, as one line: a list of names and values, or an object; null for none. */
export function dimensionsIn(dimensions: unknown): string | null {
  const pairs = Array.isArray(dimensions)
    ? dimensions.map((one) => [textAt(one, "name"), textAt(one, "value")] as const)
    : Object.entries(isPayload(dimensions) ? dimensions : {}).map(
        ([name, value]) => [name, textOf(value)] as const,
      );
  const named = pairs.slice(0, MOST_ATTRIBUTES).filter(([name]) => name !== null);
  return named.map(([name, value]) => `${name}=${value ?? ""}`).join(", ") || null;
}

/** An alarm's name, with what tells the one of its time series that this is about: `name (host=web1)`. */
export function contributorTitle(name: string, attributes: Payload): string {
  const names = Object.keys(attributes).slice(0, MOST_ATTRIBUTES);
  const told = names.map((key) => `${key}=${textAt(attributes, key)}`).join(", ");
  return told === "" ? name : `${name} (${told})`;
}
