// Google Cloud Monitoring's webhook notification channel ("Stackdriver"), payload versions 1.0 to
// 1.2.
import { dataOf } from "../reading/additional-data.ts";
import { payloadAt, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, joinParagraphs, readState } from "../sender-type.ts";

export const googleCloudMonitoring = createSenderType({
  name: "google_cloud_monitoring",
  title: "Google Cloud Monitoring",
  description: "A webhook notification channel of Google Cloud Monitoring.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const incident = payloadAt(fields, "incident");
    const state = textAt(incident, "state");
    const kind = readState("incident.state", state, {
      create: ["open"],
      resolve: ["closed"],
      ignore: ["acknowledged"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(incident, "incident_id"),
      title: textAt(incident, "summary") ?? textAt(incident, "policy_name"),
      description: joinParagraphs(textAt(incident, "documentation", "content")),
      // Older policies have no severity field but a label of that name; an unset field is "No
      // severity".
      urgency:
        urgencyOfWord(textAt(incident, "severity"), options) ??
        urgencyOfWord(textAt(incident, "policy_user_labels", "severity"), options),
      additionalData: dataOf(incident, "url", "policy_name", "condition_name", "resource_name"),
    };
  },
});
