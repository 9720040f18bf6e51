// Honeybadger's webhooks, payload version 2 (and 3, in preview): errors, outages, check-ins,
// alarms.
import { datum } from "../reading/additional-data.ts";
import { type Payload, payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const honeybadger = createSenderType({
  name: "honeybadger",
  title: "Honeybadger",
  description: "A webhook of Honeybadger, payload version v2: errors, uptime, check-ins, alarms.",
  // A notice has the request with its parameters.
  leavesOut: /^(?:notice|project\.(?!id|name))/,
  says: ["resolve"],
  authentication: { tokenHeaders: ["honeybadger-token"] },
  read: (fields) => {
    const event = textAt(fields, "event");
    const kind = readState("event", event, {
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
      ignore: ["assigned", "commented", "deployed"],
    });
    if (typeof kind !== "string") return kind;
    const fault = payloadAt(fields, "fault");
    return {
      kind,
      thirdpartyId: identityOf(fields, event),
      title: textAt(fields, "message"),
      description: textAt(fault, "message"),
      tags: textsOf([...textsOf(fault.tags), fault.environment]),
      additionalData: [
        ...datum("url", pageOf(fields), "link"),
        ...datum("project", textAt(fields, "project", "name")),
      ],
    };
  },
});

/**
 * An identifier that the events which start and end a problem share. An outage is identified by its
 * site. A check-in's page URL is the same for all check-ins of a project, so the id is used. An
 * event that nothing ends gets an alert each time.
 */
function identityOf(fields: Payload, event: string | null): string | null {
  for (const kind of ["fault", "check_in", "alarm"]) {
    const id = textAt(fields, kind, "id");
    if (id !== null) return `${kind} ${id}`;
  }
  const site = /^(?:down|up)$/i.test(event ?? "") ? textAt(fields, "site", "id") : null;
  return site === null ? pageOf(fields) : `site ${site}`;
}

function pageOf(fields: Payload): string | null {
  return (
    textAt(fields, "fault", "url") ??
    textAt(fields, "outage", "details_url") ??
    textAt(fields, "check_in", "details_url") ??
    textAt(fields, "alarm", "url")
  );
}
