// Cronitor's webhooks: alerts and recoveries of monitors.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const cronitor = createSenderType({
  name: "cronitor",
  title: "Cronitor",
  description: "A webhook notification of Cronitor.",
  says: ["resolve"],
  read: (fields) => {
    const word = textAt(fields, "type");
    const kind = readState("type", word, {
      create: ["Alert"],
      resolve: ["Recovery"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      // A monitor fails and recovers separately in each environment.
      thirdpartyId:
        [textAt(fields, "id"), textAt(fields, "environment")].filter(Boolean).join(" ") || null,
      title: textAt(fields, "monitor"),
      description: textAt(fields, "description"),
      additionalData: dataOf(fields, "rule", "environment", "group", "monitor_url", "issue_url"),
    };
  },
});
