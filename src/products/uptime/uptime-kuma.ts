// Uptime Kuma: its Webhook notification (heartbeat, monitor, msg) and its notification in the
// generic webhook's format (event_type, id). Both identify a monitor by its number, so switching
// between them matches the same alerts.
import { isJsonObject } from "../../domain/shared/json.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { parseJsonObject } from "../reading/inbound.ts";
import { listAt, type Payload, payloadAt, textAt, textOf, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, missingField, type Reading, readState } from "../sender-type.ts";

export const uptimeKuma = createSenderType({
  name: "uptime_kuma",
  title: "Uptime Kuma",
  description: "Uptime Kuma's notification of the type PagerTree or Webhook.",
  // louislam/uptime-kuma, notification providers: one attempt.
  repeats: [],
  // A monitor comes with its whole configuration.
  leavesOut:
    /^(?:heartbeat\.(?:duration|down_count|retries)|monitor\.(?!id$|name$|url$|hostname$|port$|type$|method$|description$|pathName$))/,
  says: ["resolve"],
  read: (sent, { options }) => {
    // Sent as form data, the whole payload is JSON in one field.
    const fields = parseJsonObject(sent.data) ?? sent;
    return textAt(fields, "event_type") === null ? readWebhook(fields) : readEvent(fields, options);
  },
});

/** Heartbeat states. 2 is pending (retried), 3 maintenance. */
const STATUSES = { create: ["0"], resolve: ["1"], ignore: ["2", "3"], others: "create" } as const;

function readWebhook(fields: Payload): Reading {
  const [heartbeat, monitor] = [objectAt(fields, "heartbeat"), objectAt(fields, "monitor")];
  const message = textAt(fields, "msg");
  // A test or an expiring certificate has no heartbeat.
  if (Object.keys(heartbeat).length === 0) {
    if (message === null) return missingField("heartbeat");
    return { kind: "create", rest: fields, thirdpartyId: generalId(message), title: message };
  }
  const status = textAt(heartbeat, "status");
  const kind = readState("heartbeat.status", status, STATUSES);
  if (typeof kind !== "string") return kind;
  const name = textAt(monitor, "name");
  return {
    kind,
    rest: fields,
    thirdpartyId: textAt(monitor, "id") ?? textAt(heartbeat, "monitorID"),
    title: name === null ? message : `Uptime Kuma Monitor "${name}" is DOWN`,
    ...shared(heartbeat, monitor),
  };
}

function readEvent(fields: Payload, options: Readonly<Record<string, unknown>>): Reading {
  const word = textAt(fields, "event_type");
  const kind = readState("event_type", word, {
    create: ["create", "trigger"],
    resolve: ["resolve", "resolved"],
    ignore: ["pending"],
    others: "create",
  });
  if (typeof kind !== "string") return kind;
  const title = textAt(fields, "title");
  const id = textAt(fields, "id");
  return {
    kind,
    rest: fields,
    thirdpartyId: id === GENERAL && title !== null ? generalId(title) : id,
    title,
    urgency: urgencyOfWord(textAt(fields, "urgency"), options),
    ...shared(payloadAt(fields, "heartbeat"), payloadAt(fields, "monitor")),
  };
}

const shared = (heartbeat: Payload, monitor: Payload) => ({
  // Monitors of two Uptime Kumas may have one number.
  members: { names: textsOf(textAt(monitor, "name")), isPartial: true } as const,
  description: textAt(heartbeat, "msg"),
  tags: listAt(monitor, "tags").flatMap((tag) => textOf(textAt(tag, "name") ?? tag) ?? []),
  additionalData: [
    ...dataOf(monitor, "url", "method", "hostname"),
    ...datum("time", textAt(heartbeat, "time")),
  ],
});

/** The id of messages that are not about a monitor. */
const GENERAL = "uptime-kuma";

/**
 * General messages share one id and are never resolved. Each is identified by its text, so that the
 * first does not absorb all later ones.
 */
const generalId = (message: string) => `${GENERAL}: ${message}`;

/** With GET, objects are JSON in query parameters. */
function objectAt(fields: Payload, name: string): Payload {
  const value = fields[name];
  return isJsonObject(value) ? value : (parseJsonObject(value) ?? {});
}
