// Kapacitor's HTTP post handler: alert levels.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const kapacitor = createSenderType({
  name: "kapacitor",
  title: "Kapacitor",
  description: "The post handler of a Kapacitor alert.",
  // influxdata/kapacitor, httppost: one attempt.
  repeats: [],
  says: ["resolve"],
  read: (fields, { options }) => {
    const level = textAt(fields, "level");
    const kind = readState("level", level, { resolve: ["OK"], others: "create" });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "id"),
      title: textAt(fields, "message"),
      description: textAt(fields, "details"),
      urgency: urgencyOfWord(level, options),
      additionalData: dataOf(fields, "time", "previousLevel"),
    };
  },
});
