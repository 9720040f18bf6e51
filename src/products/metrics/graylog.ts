// Graylog's HTTP notification of an event definition. Graylog sends no recovery.
import { isJsonObject } from "../../domain/shared/json.ts";
import { dataOf, datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { listAt, payloadAt, textAt, textOf } from "../reading/payload.ts";
import { createSenderType, joinParagraphs, missingField } from "../sender-type.ts";

/** Urgency by `event.priority`. */
const URGENCIES = { "1": "low", "2": "medium", "3": "high", "4": "critical" } as const;

export const graylog = createSenderType({
  name: "graylog",
  title: "Graylog",
  description:
    "An HTTP notification of Graylog, which sends no recovery: alerts end after a time that you set.",
  // Graylog2/graylog2-server, HTTP notification: an answer outside 2xx is final.
  repeats: [],
  says: [],
  read: (fields) => {
    const event = payloadAt(fields, "event");
    const definition = textAt(fields, "event_definition_id");
    const message = textAt(event, "message");
    if (definition === null && message === null) return missingField("event_definition_id");
    const priority = textAt(event, "priority");
    const [, urgency] = Object.entries(URGENCIES).find(([number]) => number === priority) ?? [];
    const messages = listAt(fields, "backlog").slice(0, MAX_ITEMS).filter(isJsonObject);
    const values = payloadAt(event, "fields");
    return {
      kind: "create",
      // A definition creates one event per grouping key.
      thirdpartyId: [definition, textAt(event, "key")].filter(Boolean).join(" ") || null,
      title: message ?? textAt(fields, "event_definition_title"),
      description: joinParagraphs(
        textAt(fields, "event_definition_description"),
        messages.map((one) => textAt(one, "message")).find((text) => text !== null) ?? null,
      ),
      urgency: urgency ?? null,
      additionalData: [
        ...dataOf(fields, "event_definition_title"),
        ...dataOf(event, "source", "timestamp", "key"),
        ...Object.keys(values).flatMap((name) => datum(name, textOf(values[name]))),
      ],
    };
  },
});
