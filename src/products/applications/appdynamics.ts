// AppDynamics' HTTP request action. Users write its template, with the field names of AppDynamics'
// own template for PagerDuty.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, joinParagraphs, readState } from "../sender-type.ts";

export const appdynamics = createSenderType({
  name: "appdynamics",
  title: "AppDynamics",
  description: "An HTTP request template of AppDynamics, for the events of a policy.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const type = textAt(fields, "event_type");
    const kind = readState("event_type", type, {
      create: ["trigger"],
      resolve: ["resolve"],
      ignore: ["acknowledge"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const details = payloadAt(fields, "details");
    // The event's own id differs between the events that open and close a violation.
    const incident = textAt(fields, "incident_key");
    return {
      kind,
      thirdpartyId: incident ?? textAt(details, "event_id"),
      title: textAt(fields, "description") ?? incident,
      description: joinParagraphs(textAt(details, "summary"), textAt(details, "message")),
      urgency: urgencyOfWord(textAt(details, "severity"), options),
      additionalData: [
        ...dataOf(
          details,
          "application_name",
          "node_name",
          "event_name",
          "event_type",
          "event_time",
        ),
        ...datum("link", textAt(fields, "contexts", 1, "href"), "link"),
        ...dataOf(fields, "client_url"),
      ],
    };
  },
});
