// IBM Instana's generic webhook: opened and closed issues and incidents. Changes and offline events
// are ignored.
import { dataOf, datum } from "../../reading/additional-data.ts";
import { payloadAt, tagsOf, textAt } from "../../reading/payload.ts";
import { urgencyOfWord } from "../../reading/severity.ts";
import { createSenderType, ignoreState, kindOf } from "../../sender-type.ts";

/** Severity words by Instana's numbers. */
const SEVERITIES = new Map([
  ["-1", "info"],
  ["5", "warning"],
  ["10", "critical"],
]);

export const instana = createSenderType({
  name: "instana",
  title: "IBM Instana",
  description: "A generic webhook alert channel of Instana.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const issue = payloadAt(fields, "issue");
    const type = textAt(issue, "type");
    if (type !== null && !["issue", "incident"].includes(type.toLowerCase())) {
      return ignoreState("issue.type", type);
    }
    const state = textAt(issue, "state");
    const kind = kindOf(state, { create: ["OPEN"], resolve: ["CLOSED"] });
    if (kind === null) return ignoreState("issue.state", state);
    const severity = textAt(issue, "severity") ?? "";
    return {
      kind,
      thirdpartyId: textAt(issue, "id"),
      title: textAt(issue, "text"),
      description: textAt(issue, "suggestion"),
      urgency: urgencyOfWord(SEVERITIES.get(severity) ?? severity, options),
      tags: tagsOf(textAt(issue, "tags")),
      additionalData: [
        ...datum("link", textAt(issue, "link"), "link"),
        ...dataOf(issue, "entityLabel", "entity", "zone", "fqdn", "service", "container"),
      ],
    };
  },
});
