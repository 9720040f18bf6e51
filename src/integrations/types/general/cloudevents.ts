// CloudEvents 1.0 over HTTP: structured, batched, or binary (attributes in `ce-` headers). `source`
// and `subject` identify the alert; the end of the type gives the event kind.
import { dataOf, datum } from "../../reading/additional-data.ts";
import { isPayload, type Payload, payloadAt, textAt, textOf } from "../../reading/payload.ts";
import { urgencyInText } from "../../reading/severity.ts";
import {
  createSenderType,
  missingField,
  type ReadContext,
  type Reading,
} from "../../sender-type.ts";

const RESOLVES = /[./:_-](?:resolved|closed|recovered|cleared|ok|up)$/i;
const ACKNOWLEDGES = /[./:_-](?:acknowledged|acked)$/i;

export const cloudevents = createSenderType({
  name: "cloudevents",
  title: "CloudEvents",
  description:
    "CloudEvents 1.0. Events of one source and subject are one alert; a type ending in .resolved, .closed, " +
    ".recovered, .cleared, .ok or .up resolves it, one in .acknowledged acknowledges it.",
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
    thirdpartyId: [source, about].filter((part) => part !== null).join(" ") || null,
    title:
      textAt(data, "title") ??
      textAt(data, "summary") ??
      [type, subject].filter(Boolean).join(": "),
    description: textAt(data, "description") ?? textAt(data, "message") ?? textOf(event.data),
    urgency: urgencyInText(textAt(data, "severity") ?? textAt(event, "severity"), options),
    additionalData: [...dataOf(event, "source", "subject", "time"), ...datum("type", type)],
  };
}

/** Binary mode: the attributes are headers, the body is the data. */
function eventFromHeaders(headers: Readonly<Record<string, string>>, data: Payload): Payload {
  const attributes = Object.entries(headers)
    .filter(([name]) => name.startsWith("ce-"))
    .map(([name, value]) => [name.slice(3), value]);
  return { ...Object.fromEntries(attributes), data: isPayload(data) ? data : {} };
}
