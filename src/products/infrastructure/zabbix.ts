// Zabbix: the media type's script, which sends its macros as JSON. It treats only status 200 as
// success.

import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { baseUrl } from "../../domain/shared/urls.ts";
import type { CreateFields } from "../create-event.ts";
import { datum } from "../reading/additional-data.ts";
import { type Payload, tagsOf, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

/** Urgency by Zabbix's severity: not classified, information, warning, average, high, disaster. */
const URGENCIES: readonly AlertUrgency[] = [
  "silent",
  "low",
  "medium",
  "medium",
  "high",
  "critical",
];

export const zabbix = createSenderType({
  name: "zabbix",
  title: "Zabbix",
  description: "A webhook media type of Zabbix, for triggers.",
  options: [
    {
      key: "map_urgency",
      type: "boolean",
      required: false,
      default: false,
      help: "Derive the urgency from Zabbix's severity. Not classified becomes silent.",
    },
  ],
  // Its set-up's script fails after any error, and Zabbix repeats a media type's attempts.
  repeats: ["4xx", "5xx"],
  says: ["resolve"],
  read: (fields, { options }) => {
    const value = textAt(fields, "event_value");
    // The media type's test sends the macro unresolved.
    const kind = readState("event_value", value, {
      create: ["1", "{EVENT.VALUE}"],
      resolve: ["0"],
      // Discovered, of a discovery event.
      ignore: ["2"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const severity = textAt(fields, "event_nseverity");
    const configured = options.severity_map ? urgencyOfWord(severity, options) : null;
    const mapped = options.map_urgency === true ? URGENCIES[Number(severity ?? -1)] : null;
    return {
      kind,
      ...identityOf(fields),
      title: textAt(fields, "title"),
      description: textAt(fields, "description"),
      urgency: configured ?? mapped ?? null,
      tags: tagsOf(macroValue(fields, "event_tags")),
      additionalData: datum("zabbix_url", linkOf(fields), "link"),
    };
  },
});

/** A macro's value; null if Zabbix had none and sent the macro or *UNKNOWN*. */
function macroValue(fields: Payload, name: string): string | null {
  const text = textAt(fields, name);
  return text !== null && /^(?:\{\$?[A-Z0-9_.]+\}|\*UNKNOWN\*)$/.test(text) ? null : text;
}

/**
 * A trigger's problem is identified by the trigger. A trigger that generates multiple problems, or
 * one of another Zabbix with its number, has several, which end one by one. Services, discovery and autoregistration have
 * none, and an internal event about a trigger is not its problem; these are identified by their
 * first event.
 */
function identityOf(fields: Payload): Pick<CreateFields, "thirdpartyId" | "members"> {
  const [trigger, event] = [macroValue(fields, "trigger_id"), macroValue(fields, "event_id")];
  const source = macroValue(fields, "event_source") ?? "0";
  if (source !== "0") return { thirdpartyId: event && `event ${event}` };
  if (trigger === null || event === null) return { thirdpartyId: trigger ?? event };
  return { thirdpartyId: trigger, members: { names: [`problem ${event}`], isPartial: true } };
}

/** The event's page for trigger events, else the front page. */
function linkOf(fields: Payload): string | null {
  const base = macroValue(fields, "zabbix_url");
  const url = base === null ? null : baseUrl(base);
  const [trigger, event] = [macroValue(fields, "trigger_id"), macroValue(fields, "event_id")];
  if (url === null || textAt(fields, "event_source") !== "0" || !trigger || !event) return url;
  const query = new URLSearchParams({ triggerid: trigger, eventid: event });
  return `${url}/tr_events.php?${query}`;
}
