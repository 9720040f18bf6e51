// ElastAlert and ElastAlert 2: their alerter for the generic webhook's format. Each match creates
// an alert; none is ever resolved.
import { textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const elastalert = createSenderType({
  name: "elastalert",
  title: "ElastAlert",
  description: "The pagertree alerter of ElastAlert 2, with this integration's URL.",
  // jertel/elastalert2: an alert that failed is sent again until alert_time_limit.
  repeats: ["4xx", "5xx"],
  says: ["acknowledge", "resolve"],
  read: (fields) => {
    const word = textAt(fields, "event_type");
    const kind = readState("event_type", word, {
      create: ["create"],
      acknowledge: ["acknowledge"],
      resolve: ["resolve"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "Id"),
      title: textAt(fields, "Title"),
      description: textAt(fields, "Description"),
    };
  },
});
