// Sensu Go: a handler that posts the event as is. A check's status is 0 for OK, 1 warning, 2
// critical.

import { datum } from "../reading/additional-data.ts";
import { textAt, valueAt } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { CURL_RETRIES } from "../repeated-answers.ts";
import { createSenderType, ignoreState, missingField } from "../sender-type.ts";

const WORDS: readonly string[] = ["ok", "warning", "critical"];

export const sensu = createSenderType({
  name: "sensu",
  title: "Sensu",
  description: "A handler of Sensu Go that posts events as JSON.",
  // Its set-up calls curl.
  repeats: CURL_RETRIES,
  // A command can have passwords.
  leavesOut: /^check\.(?:command|history)/,
  says: ["resolve"],
  read: (fields, { options }) => {
    const status = Number(textAt(fields, "check", "status") ?? Number.NaN);
    if (!Number.isInteger(status)) return missingField("check.status");
    const isSilenced = valueAt(fields, "check", "is_silenced") === true;
    if (isSilenced && status !== 0) return ignoreState("check", "silenced");
    const entity = textAt(fields, "entity", "metadata", "name");
    const check = textAt(fields, "check", "metadata", "name");
    const name = [entity, check].filter((part) => part !== null);
    const word = WORDS[status] ?? "unknown";
    // Names are unique only within a namespace.
    const namespace = textAt(fields, "entity", "metadata", "namespace");
    const isDefault = namespace === null || namespace === "default";
    return {
      kind: status === 0 ? "resolve" : "create",
      thirdpartyId: (isDefault ? name : [namespace, ...name]).join("/") || null,
      title: name.length === 0 ? null : `${name.join("/")} is ${word}`,
      description: textAt(fields, "check", "output"),
      urgency: urgencyOfWord(word === "unknown" ? "warning" : word, options),
      additionalData: [
        ...datum("occurrences", textAt(fields, "check", "occurrences")),
        ...datum("namespace", namespace),
      ],
    };
  },
});
