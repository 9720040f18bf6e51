// VictorOps' (Splunk On-Call's) REST endpoint: alerts of senders that support no other format, sent
// to this integration's URL or to /integrations/generic/20131114/alert with its intake key.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const victorops = createSenderType({
  name: "victorops",
  title: "VictorOps REST endpoint",
  description: "Any tool that supports the VictorOps REST endpoint.",
  says: ["acknowledge", "resolve"],
  read: (fields, { options }) => {
    const type = textAt(fields, "message_type");
    const kind = readState("message_type", type, {
      create: ["CRITICAL", "WARNING"],
      acknowledge: ["ACKNOWLEDGEMENT", "ACK"],
      resolve: ["RECOVERY", "OK"],
      ignore: ["INFO"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const entity = textAt(fields, "entity_id");
    return {
      kind,
      thirdpartyId: entity,
      title: textAt(fields, "entity_display_name") ?? entity,
      description: textAt(fields, "state_message"),
      urgency: urgencyOfWord(type, options),
      additionalData: dataOf(
        fields,
        "monitoring_tool",
        "host_name",
        "hostname",
        "alert_url",
        "event_info",
        "state_start_time",
        "ack_author",
        "ack_msg",
      ),
    };
  },
});
