// Rollbar's webhook: items that are new, recur, exceed a rate, or are resolved.
import { dataOf, datum } from "../reading/additional-data.ts";
import { payloadAt, textAt, textsOf } from "../reading/payload.ts";
import { urgencyOfWord } from "../reading/severity.ts";
import { createSenderType, readState } from "../sender-type.ts";

const OCCURRED = [
  "new_item",
  "occurrence",
  "reactivated_item",
  "reopened_item",
  "exp_repeat_item",
  "item_velocity",
  "test",
];

/** Level words by `item.level`; an occurrence's level is already a word. */
const LEVELS = new Map([
  ["10", "debug"],
  ["20", "info"],
  ["30", "warning"],
  ["40", "error"],
  ["50", "critical"],
]);

export const rollbar = createSenderType({
  name: "rollbar",
  title: "Rollbar",
  description: "A webhook of a Rollbar project's notifications.",
  // People, requests and traces: whoever sees the alert would see them.
  leavesOut: /\.(?:person|request|client|custom|body|notifier)\b/,
  says: ["resolve"],
  read: (fields, { options }) => {
    const event = textAt(fields, "event_name");
    const kind = readState("event_name", event, {
      create: OCCURRED,
      resolve: ["resolved_item"],
      ignore: ["deploy"],
    });
    if (typeof kind !== "string") return kind;
    const data = payloadAt(fields, "data");
    const item = payloadAt(data, "item");
    const occurrence = payloadAt(
      data.occurrence ? data : item,
      data.occurrence ? "occurrence" : "last_occurrence",
    );
    const level = textAt(occurrence, "level") ?? textAt(item, "level") ?? "";
    return {
      kind,
      thirdpartyId: textAt(item, "id") ?? (event === "test" ? "test" : null),
      title: textAt(item, "title") ?? textAt(data, "message"),
      description: textAt(occurrence, "body", "message", "body"),
      urgency: urgencyOfWord(LEVELS.get(level) ?? level, options),
      tags: textsOf([item.environment, item.framework]),
      additionalData: [
        ...datum("url", textAt(data, "url"), "link"),
        ...dataOf(item, "environment", "counter", "total_occurrences", "project_id"),
      ],
    };
  },
});
