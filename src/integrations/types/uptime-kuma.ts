// Uptime Kuma: its Webhook notification (heartbeat, monitor, msg) and its notification for services with this webhook
// (event_type, id). Both identify a monitor by its number, so a change from one to the other keeps the alerts.
import { dataOf, datum } from "../additional-data.ts";
import { objectIn } from "../inbound.ts";
import { isPayload, listAt, type Payload, payloadAt, textAt, textOf } from "../payload.ts";
import { kindOf, notForUs, type Reading, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

export const uptimeKuma = sender({
  name: "uptime_kuma",
  title: "Uptime Kuma",
  description:
    "Uptime Kuma's Webhook notification (JSON, form data or GET), or its PagerTree notification, with this " +
    "integration's URL.",
  says: ["resolve"],
  read: (sent, { options }) => {
    // As form data, the whole payload is JSON in one field.
    const fields = objectIn(sent.data) ?? sent;
    return textAt(fields, "event_type") === null ? readWebhook(fields) : readEvent(fields, options);
  },
});

/** The states of a heartbeat. 2 is pending (it is tried again), 3 maintenance: neither opens or ends anything. */
const STATUSES = { create: ["0"], resolve: ["1"] };

function readWebhook(fields: Payload): Reading {
  const [heartbeat, monitor] = [objectAt(fields, "heartbeat"), objectAt(fields, "monitor")];
  const message = textAt(fields, "msg");
  // A test, or a certificate that will expire: it belongs to no heartbeat.
  if (Object.keys(heartbeat).length === 0) {
    if (message === null) return notForUs("heartbeat", null);
    return { kind: "create", thirdpartyId: generalId(message), title: message };
  }
  const status = textAt(heartbeat, "status");
  const kind = kindOf(status, STATUSES);
  if (kind === null) return notForUs("heartbeat.status", status);
  const name = textAt(monitor, "name");
  return {
    kind,
    thirdpartyId: textAt(monitor, "id") ?? textAt(heartbeat, "monitorID"),
    title: name === null ? message : `Uptime Kuma Monitor "${name}" is DOWN`,
    ...shared(heartbeat, monitor),
  };
}

function readEvent(fields: Payload, options: Readonly<Record<string, unknown>>): Reading {
  const word = textAt(fields, "event_type");
  const kind = kindOf(word, {
    create: ["create", "trigger"],
    resolve: ["resolve", "resolved"],
  });
  if (kind === null) return notForUs("event_type", word);
  const title = textAt(fields, "title");
  const id = textAt(fields, "id");
  return {
    kind,
    thirdpartyId: id === GENERAL && title !== null ? generalId(title) : id,
    title,
    urgency: urgencyOfWord(textAt(fields, "urgency"), options),
    ...shared(payloadAt(fields, "heartbeat"), payloadAt(fields, "monitor")),
  };
}

const shared = (heartbeat: Payload, monitor: Payload) => ({
  description: textAt(heartbeat, "msg"),
  tags: listAt(monitor, "tags").flatMap((tag) => textOf(textAt(tag, "name") ?? tag) ?? []),
  additionalData: [
    ...dataOf(monitor, "url", "method", "hostname"),
    ...datum("time", textAt(heartbeat, "time")),
  ],
});

/** What stands in for the monitor in messages about none. */
const GENERAL = "uptime-kuma";

/**
 * General messages all have the same id, and none of them is ever resolved: each is identified by its text, or the first
 * would swallow every later one.
 */
const generalId = (message: string) => `${GENERAL}: ${message}`;

/** With the method GET, the objects are JSON in parameters of the query. */
function objectAt(fields: Payload, name: string): Payload {
  const value = fields[name];
  return isPayload(value) ? value : (objectIn(value) ?? {});
}
