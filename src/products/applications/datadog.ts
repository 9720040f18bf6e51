// Datadog's webhooks integration. Users write its payload template; keys named after Datadog's
// variables ($ALERT_TRANSITION and so on) are read, in any case.
import { dataOf } from "../reading/additional-data.ts";
import { fieldsSpelled, type Payload, tagsOf, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const datadog = createSenderType({
  name: "datadog",
  title: "Datadog",
  description: "A webhook of Datadog, for its monitors.",
  options: [
    {
      key: "support_retriggered_event",
      type: "boolean",
      required: false,
      default: false,
      help: "Treat Re-Triggered (a renotification) as a new event of the alert.",
    },
  ],
  says: ["resolve"],
  read: (payload, { options }) => {
    const fields = fieldsSpelled(payload, VARIABLES, (key) => key.toUpperCase());
    const transition = textAt(fields, "ALERT_TRANSITION");
    const takesRetriggered = options.support_retriggered_event === true;
    const kind = readState("ALERT_TRANSITION", transition, {
      create: ["Triggered", "Warn", "No Data", ...(takesRetriggered ? RETRIGGERED : [])],
      resolve: ["Recovered", "Warn Recovered", "No Data Recovered"],
      ignore: RETRIGGERED,
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      ...identityOf(fields),
      title: textAt(fields, "ALERT_TITLE") ?? textAt(fields, "EVENT_TITLE"),
      description: textAt(fields, "ALERT_STATUS"),
      urgency: urgencyOfWord(priorityOf(fields, options), options) ?? urgencyOfState(transition),
      tags: tagsOf(fields.TAGS),
      additionalData: dataOf(fields, "LINK", "PRIORITY", "EVENT_TYPE", "EVENT_TITLE"),
    };
  },
});

const VARIABLES = [
  ...["ALERT_ID", "ALERT_CYCLE_KEY", "ALERT_SCOPE", "AGGREG_KEY", "ALERT_TRANSITION"],
  ...["ALERT_TITLE", "EVENT_TITLE", "ALERT_STATUS", "ALERT_PRIORITY", "PRIORITY"],
  ...["TAGS", "LINK", "EVENT_TYPE"],
];

const RETRIGGERED = ["Re-Triggered", "Retriggered", "Re-No Data", "Re-Warn", "Renotify"];

/**
 * ALERT_ID is the monitor. Its groups (such as hosts) fire and recover separately, so the id alone
 * would merge them into one alert. The cycle or the scope distinguishes them.
 */
function identityOf(fields: Payload) {
  const monitor = textAt(fields, "ALERT_ID");
  const scope = textAt(fields, "ALERT_SCOPE");
  const cycle = textAt(fields, "ALERT_CYCLE_KEY");
  const members = { names: textsOf(scope), isPartial: true } as const;
  if (cycle !== null) return { thirdpartyId: cycle, members };
  if (monitor !== null && scope !== null) return { thirdpartyId: `${monitor}:${scope}` };
  return { thirdpartyId: monitor, dedupKeys: textsOf(fields.AGGREG_KEY) };
}

/**
 * The monitor's priority (P1 to P5). PRIORITY is the event's, normal or low, and is used only if
 * the user maps it.
 */
function priorityOf(fields: Payload, options: Readonly<Record<string, unknown>>): string | null {
  const eventPriority = textAt(fields, "PRIORITY");
  const isUsed = options.severity_map || /^P\d$/i.test(eventPriority ?? "");
  return textAt(fields, "ALERT_PRIORITY") ?? (isUsed ? eventPriority : null);
}

/** A monitor's warning is less urgent than its alert. */
const urgencyOfState = (transition: string | null) =>
  /^(?:re-)?warn$/i.test(transition ?? "") ? "medium" : null;
