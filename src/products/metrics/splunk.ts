// Splunk's webhook alert action, whose body is fixed. Splunk sends no recovery.
import { dataOf } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { payloadAt, textAt, textOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, missingField } from "../sender-type.ts";

export const splunk = createSenderType({
  name: "splunk",
  title: "Splunk",
  description:
    "The webhook alert action of Splunk, which sends no recovery: alerts end after a time that you set.",
  // docs.splunk.com, webhook alert action: one attempt.
  repeats: [],
  says: [],
  read: (fields, { options }) => {
    const search = textAt(fields, "search_name");
    const sid = textAt(fields, "sid");
    if (search === null && sid === null) return missingField("search_name");
    const result = payloadAt(fields, "result");
    const rows = Object.keys(result)
      .slice(0, MAX_ITEMS)
      .map((name) => [name, textOf(result[name])] as const);
    return {
      kind: "create",
      thirdpartyId:
        search === null ? sid : [textAt(fields, "app"), search].filter(Boolean).join("/"),
      title: search ?? "Splunk search",
      description:
        rows.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join("\n") ||
        null,
      urgency: urgencyOfWord(textAt(result, "severity") ?? textAt(result, "urgency"), options),
      additionalData: dataOf(fields, "results_link", "app", "owner", "sid"),
    };
  },
});
