// Splunk Observability Cloud (SignalFx): the webhook of a detector's alert rule.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, joinParagraphs, readState } from "../sender-type.ts";

const FIRING = ["anomalous"];
const ENDED = ["ok", "manually resolved", "stopped", "auto resolved", "terminated"];

export const splunkObservability = createSenderType({
  name: "splunk_observability",
  title: "Splunk Observability Cloud",
  description:
    "A webhook integration of Splunk Observability Cloud (SignalFx) with its default payload.",
  options: [
    {
      key: "shared_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The integration's shared secret: requests must then be signed with it.",
    },
  ],
  says: ["resolve"],
  authentication: {
    signature: { option: "shared_secret", header: "x-sfx-signature", encoding: "base64" },
  },
  read: (fields, { options }) => {
    const state = textAt(fields, "statusExtended") ?? textAt(fields, "status");
    const kind = readState("statusExtended", state, {
      create: FIRING,
      resolve: ENDED,
      ignore: ["muted"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "incidentId"),
      title: textAt(fields, "messageTitle") ?? textAt(fields, "rule"),
      description: joinParagraphs(textAt(fields, "messageBody") ?? textAt(fields, "description")),
      urgency: urgencyOfWord(textAt(fields, "severity"), options),
      additionalData: dataOf(
        fields,
        "detectorUrl",
        "runbookUrl",
        "detector",
        "rule",
        "originatingMetric",
        "tip",
        "imageUrl",
      ),
    };
  },
});
