// Honeybadger's webhooks, payload version 2 (3, in preview, names its records by id): errors, outages, check-ins, alarms.
import { datum } from "../additional-data.ts";
import { type Payload, payloadAt, textAt, textsOf } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";

export const honeybadger = sender({
  name: "honeybadger",
  title: "Honeybadger",
  description: "A webhook of Honeybadger, payload version v2: errors, uptime, check-ins, alarms.",
  says: ["resolve"],
  authentication: { tokenHeaders: ["honeybadger-token"] },
  read: (fields) => {
    const event = textAt(fields, "event");
    const kind = kindOf(event, {
      create: [
        "occurred",
        "unresolved",
        "rate_exceeded",
        "volume_spike",
        "down",
        "check_in_missing",
        "cert_will_expire",
        "alarm_alert",
      ],
      resolve: ["resolved", "up", "check_in_reporting", "alarm_ok"],
    });
    if (kind === null) return notForUs("event", event);
    const url = urlOf(fields);
    const fault = payloadAt(fields, "fault");
    return {
      kind,
      thirdpartyId: url ?? idOf(fields),
      title: textAt(fields, "message"),
      description: textAt(fault, "message"),
      tags: textsOf([...textsOf(fault.tags), fault.environment]),
      additionalData: [
        ...datum("url", url, "link"),
        ...datum("project", textAt(fields, "project", "name")),
      ],
    };
  },
});

/** Payloads of version 3 name their records by id. */
function idOf(fields: Payload): string | null {
  const kinds = ["fault", "outage", "check_in", "alarm"] as const;
  const ids = kinds.map((kind) => [kind, textAt(fields, kind, "id")] as const);
  const [kind, id] = ids.find((pair) => pair[1] !== null) ?? [];
  return kind === undefined ? null : `${kind} ${id}`;
}

/** The page of what the event is about: the same when it begins and when it ends. */
function urlOf(fields: Payload): string | null {
  return (
    textAt(fields, "fault", "url") ??
    textAt(fields, "outage", "details_url") ??
    textAt(fields, "check_in", "details_url") ??
    textAt(fields, "alarm", "url")
  );
}
