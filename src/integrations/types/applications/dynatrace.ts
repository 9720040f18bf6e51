// Dynatrace's custom integration for problem notifications; its payload uses Dynatrace's
// placeholders.
import { dataOf } from "../../reading/additional-data.ts";
import { tagsOf, textAt } from "../../reading/payload.ts";
import { urgencyOfWord } from "../../reading/severity.ts";
import { createSenderType, ignoreState, kindOf } from "../../sender-type.ts";

export const dynatrace = createSenderType({
  name: "dynatrace",
  title: "Dynatrace",
  description:
    "A custom integration of Dynatrace with State, ProblemID, ProblemTitle, ProblemDetailsText, ProblemSeverity, " +
    "ProblemImpact, ProblemURL, ImpactedEntity, Tags.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const state = textAt(fields, "State");
    const kind = kindOf(state, { create: ["OPEN"], resolve: ["RESOLVED"] });
    if (kind === null) return ignoreState("State", state);
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
