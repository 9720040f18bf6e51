// Checkly's webhook alert channel. Users write its body; the description lists its variables.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

const FAILING = ["ALERT_FAILURE", "ALERT_DEGRADED", "ALERT_DEGRADED_FAILURE"];
const REMAINING = ["ALERT_FAILURE_REMAIN", "ALERT_DEGRADED_REMAIN", "ALERT_FAILURE_DEGRADED"];
const ENDED = ["ALERT_RECOVERY", "ALERT_DEGRADED_RECOVERY"];
const CERTIFICATE = "ALERT_SSL";

export const checkly = createSenderType({
  name: "checkly",
  title: "Checkly",
  description: "A webhook channel of Checkly.",
  says: ["resolve"],
  read: (fields) => {
    const type = textAt(fields, "alert_type");
    const kind = readState("alert_type", type, {
      create: [...FAILING, ...REMAINING, CERTIFICATE],
      resolve: ENDED,
      ignore: ["NO_ALERT"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const isCertificate = type?.toUpperCase() === CERTIFICATE;
    const check = textAt(fields, "check_id") ?? textAt(fields, "check_name");
    return {
      kind,
      // A recovery of the check does not cover its certificate.
      thirdpartyId: isCertificate && check !== null ? `${check} certificate` : check,
      title: textAt(fields, "event") ?? textAt(fields, "check_name"),
      description: textAt(fields, "check_error_message"),
      urgency: isCertificate ? "low" : /DEGRADED/i.test(type ?? "") ? "medium" : null,
      tags: tagsOf(textAt(fields, "tags")),
      additionalData: dataOf(
        fields,
        "link",
        "check_name",
        "group_name",
        "check_type",
        "run_location",
        "api_check_response_status_code",
        "response_time",
        "started_at",
        "ssl_days_remaining",
        "ssl_check_domain",
      ),
    };
  },
});
