// IBM Instana's generic webhook: opened and closed issues and incidents. Changes and offline events
// are ignored.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, tagsOf, textAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, ignoreState, readState } from "../sender-type.ts";

/** Severity words by Instana's numbers. */
const SEVERITIES = new Map([
  ["-1", "info"],
  ["5", "warning"],
  ["10", "critical"],
]);

/** Types of issues that are no trouble. */
const OTHER_ISSUES = ["change", "offline", "online", "presence"];

export const instana = createSenderType({
  name: "instana",
  title: "IBM Instana",
  description: "A generic webhook alert channel of Instana.",
  says: ["resolve"],
  read: (fields, { options }) => {
    const issue = payloadAt(fields, "issue");
    const type = textAt(issue, "type");
    if (type !== null && OTHER_ISSUES.includes(type.toLowerCase())) {
      return ignoreState("issue.type", type);
    }
    const state = textAt(issue, "state");
    const kind = readState("issue.state", state, {
      create: ["OPEN"],
      resolve: ["CLOSED"],
      others: "create",
    });
    if (typeof kind !== "string") return kind;
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
