// Dynatrace's custom integration for problem notifications; its payload uses Dynatrace's
// placeholders.
import { dataOf } from "../reading/additional-data.ts";
import { tagsOf, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const dynatrace = createSenderType({
  name: "dynatrace",
  title: "Dynatrace",
  description: "A custom integration of Dynatrace, for its problems.",
  // The same text in other formats.
  leavesOut: /^ProblemDetails/,
  says: ["resolve"],
  read: (fields, { options }) => {
    const state = textAt(fields, "State");
    const kind = readState("State", state, {
      create: ["OPEN"],
      resolve: ["RESOLVED"],
      ignore: ["MERGED"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
    return {
      kind,
      thirdpartyId: textAt(fields, "ProblemID") ?? textAt(fields, "PID"),
      title: textAt(fields, "ProblemTitle"),
      description: textAt(fields, "ProblemDetailsText") ?? textAt(fields, "ProblemDetailsHTML"),
      urgency: urgencyOfWord(textAt(fields, "ProblemSeverity"), options),
      tags: tagsOf(fields.Tags),
      additionalData: dataOf(
        fields,
        "ProblemURL",
        "Problem URL",
        "ImpactedEntity",
        "ProblemImpact",
        "ProblemSeverity",
      ),
    };
  },
});
