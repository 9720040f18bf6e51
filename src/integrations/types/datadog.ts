// Datadog's webhooks integration. Its payload is a template of the user's: this reads the keys named after Datadog's
// own variables ($ALERT_TRANSITION and so on).
import { dataOf } from "../additional-data.ts";
import { type Payload, tagsOf, textAt, textsOf } from "../payload.ts";
import { kindOf, notForUs, sender } from "../sender.ts";
import { urgencyOfWord } from "../severity.ts";

export const datadog = sender({
  name: "datadog",
  title: "Datadog",
  description:
    "A webhook of Datadog whose payload has ALERT_ID, ALERT_TITLE, ALERT_TRANSITION, ALERT_STATUS, TAGS, " +
    "PRIORITY, LINK, AGGREG_KEY, each the variable of that name.",
  options: [
    {
      key: "support_retriggered_event",
      type: "boolean",
      required: false,
      default: false,
      help: "Take Re-Triggered (a renotification) as the alert happening again.",
    },
  ],
  says: ["resolve"],
  read: (fields, { options }) => {
    const transition = textAt(fields, "ALERT_TRANSITION");
    const again = options.support_retriggered_event === true ? RETRIGGERED : [];
    const kind = kindOf(transition, {
      create: ["Triggered", "Warn", "No Data", ...again],
      resolve: ["Recovered", "Warn Recovered", "No Data Recovered"],
    });
    if (kind === null) return notForUs("ALERT_TRANSITION", transition);
    return {
      kind,
      thirdpartyId: textAt(fields, "ALERT_ID"),
      dedupKeys: textsOf(fields.AGGREG_KEY),
      title: textAt(fields, "ALERT_TITLE") ?? textAt(fields, "EVENT_TITLE"),
      description: textAt(fields, "ALERT_STATUS"),
      urgency: urgencyOfWord(textAt(fields, "PRIORITY"), options) ?? urgencyOfState(fields),
      tags: tagsOf(fields.TAGS),
      additionalData: dataOf(fields, "LINK", "PRIORITY", "EVENT_TYPE", "EVENT_TITLE"),
    };
  },
});

const RETRIGGERED = ["Re-Triggered", "Retriggered"];

/** A monitor's warning threshold is less than its alert. */
const urgencyOfState = (fields: Payload) =>
  textAt(fields, "ALERT_TRANSITION")?.toLowerCase() === "warn" ? "medium" : null;
