// Site24x7's webhook with its default parameters, posted as JSON or as a form.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const site24x7 = createSenderType({
  name: "site24x7",
  title: "Site24x7",
  description:
    "A webhook of Site24x7, posted as JSON or a form, that sends its incident parameters.",
  says: ["resolve"],
  read: (fields) => {
    const status = textAt(fields, "STATUS");
    const kind = readState("STATUS", status, {
      create: ["DOWN", "CRITICAL", "TROUBLE"],
      resolve: ["UP"],
      ignore: ["SUSPENDED", "MAINTENANCE", "DISCOVERY"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    const name = textAt(fields, "MONITORNAME") ?? textAt(fields, "MONITORURL");
    return {
      kind,
      thirdpartyId: textAt(fields, "MONITOR_ID") ?? name,
      title: name && `${name} is ${status}`,
      description: textAt(fields, "INCIDENT_REASON"),
      tags: tagsOf(fields.TAGS),
      additionalData: dataOf(
        fields,
        "MONITOR_DASHBOARD_LINK",
        "MONITORURL",
        "MONITOR_GROUPNAME",
        "FAILED_LOCATIONS",
        "INCIDENT_TIME_ISO",
      ),
    };
  },
});
