// Kibana's webhook connector. Users write its body; the description lists its variables.
import { dataOf } from "../reading/additional-data.ts";
import { type Payload, tagsOf, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, joinParagraphs, missingField } from "../sender-type.ts";

export const elastic = createSenderType({
  name: "elastic",
  title: "Elastic and Kibana",
  description: "A webhook connector of Kibana, for the rules of Elastic and Kibana.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const ruleId = textAt(fields, "rule", "id");
    if (ruleId === null) return missingField("rule.id");
    const group = textAt(fields, "alert", "actionGroup");
    if (group === null) return missingField("alert.actionGroup");
    return {
      kind: group.toLowerCase() === "recovered" ? "resolve" : "create",
      thirdpartyId: [ruleId, alertOf(fields)].filter(Boolean).join(" "),
      title: textAt(fields, "rule", "name"),
      description: joinParagraphs(textAt(fields, "reason"), textAt(fields, "message")),
      urgency: urgencyOfWord(textAt(fields, "severity") ?? group, options),
      tags: tagsOf(fields.rule && textAt(fields, "rule", "tags")),
      additionalData: [...dataOf(fields.rule, "url", "type"), ...dataOf(fields, "date")],
    };
  },
});

/** The alert's id within its rule; null for "*", which a rule without groups sends. */
function alertOf(fields: Payload): string | null {
  const alert = textAt(fields, "alert", "id");
  return alert === "*" ? null : alert;
}
