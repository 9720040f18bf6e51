// CloudEvents 1.0 over HTTP: structured, batched, or binary (attributes in `ce-` headers). `source`
// and `subject` identify the alert; the end of the type gives the event kind.
import { isJsonObject } from "../../domain/shared/json.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { decodePercent } from "../reading/decode-text.ts";
import { type Payload, payloadAt, textAt, textOf, valueAt } from "../reading/payload.ts";
import { formatLines } from "../reading/readable-lines.ts";
import { urgencyInText } from "../reading/severity.ts";
import { createSenderType, missingField, type ReadContext, type Reading } from "../sender-type.ts";

const RESOLVES = /[./:_-](?:resolved|closed|recovered|cleared|ok|up)$/i;
const ACKNOWLEDGES = /[./:_-](?:acknowledged|acked)$/i;

export const cloudevents = createSenderType({
  name: "cloudevents",
  title: "CloudEvents",
  description: "CloudEvents 1.0. The events of one source and subject are one alert.",
  says: ["acknowledge", "resolve"],
  read,
});

function read(fields: Payload, { request, options }: ReadContext): Reading {
  const event =
    textAt(fields, "specversion") === null ? eventFromHeaders(request.headers, fields) : fields;
  const type = textAt(event, "type");
  if (type === null || textAt(event, "specversion") === null) return missingField("specversion");
  const kind = RESOLVES.test(type) ? "resolve" : ACKNOWLEDGES.test(type) ? "acknowledge" : "create";
  const [source, subject] = [textAt(event, "source"), textAt(event, "subject")];
  const data = payloadAt(event, "data");
  const about = subject ?? textAt(event, "id");
  return {
    kind,
    rest: event,
    thirdpartyId: [source, about].filter((part) => part !== null).join(" ") || null,
    title:
      firstOf(data, ["title", "summary", "rule", "name", "alert", "alertname"]) ??
      [type, subject].filter(Boolean).join(": "),
    description:
      firstOf(data, ["description", "message", "output", "text"]) ?? formatLines(event.data),
    urgency: urgencyInText(firstOf(data, SEVERITIES) ?? firstOf(event, SEVERITIES), options),
    additionalData: [...dataOf(event, "source", "subject", "time"), ...datum("type", type)],
  };
}

const SEVERITIES = ["severity", "priority", "level", "urgency"];

/**
 * The first field with a text. CloudEvents define none of them; these are what Falcosidekick,
 * Keptn and others use.
 */
function firstOf(data: Payload, names: readonly string[]): string | null {
  const texts = names.map((name) => valueAt(data, name)).filter((it) => typeof it !== "object");
  return texts.map(textOf).find((text) => text !== null) ?? null;
}

/** Binary mode: the attributes are percent-encoded headers, the body is the data. */
function eventFromHeaders(headers: Readonly<Record<string, string>>, data: Payload): Payload {
  const attributes = Object.entries(headers)
    .filter(([name]) => name.startsWith("ce-"))
    .map(([name, value]) => [name.slice(3), decodePercent(value)]);
  return { ...Object.fromEntries(attributes), data: isJsonObject(data) ? data : {} };
}
