// The user's own mapping: a JMESPath expression for each thing an alert has, over whatever the sender sends.
import { expressionFault, searcher } from "../expression.ts";
import type { OptionDescription } from "../integration-type.ts";
import { isPayload, type Payload, tagsOf, textOf, textsOf } from "../payload.ts";
import { kindOf, type Reading, sender, type Told } from "../sender.ts";
import { urgencyInText } from "../severity.ts";

const EXPRESSIONS = {
  title_expression: "The title.",
  id_expression: "The sender's identifier. Repeated and later events find the alert by it.",
  event_type_expression:
    "The event type: create, acknowledge or resolve (or firing, alert, ok, closed …). If empty, every request creates an alert.",
  description_expression: "The description.",
  urgency_expression: "The urgency, or the sender's name for it.",
  tags_expression: "The tags: a list or a comma-separated string.",
  dedup_keys_expression: "The keys that group alerts.",
  meta_expression: "Custom metadata: an object.",
} as const;

type Key = keyof typeof EXPRESSIONS;
const KEYS = Object.keys(EXPRESSIONS) as Key[];

const options: readonly OptionDescription[] = KEYS.map((key) => ({
  key,
  type: "string",
  required: key === "title_expression",
  default: null,
  help: `JMESPath. ${EXPRESSIONS[key]}`,
}));

const WORDS = {
  create: [
    "create",
    "created",
    "trigger",
    "triggered",
    "firing",
    "alert",
    "alerting",
    "open",
    "down",
  ],
  acknowledge: ["acknowledge", "acknowledged", "ack"],
  resolve: ["resolve", "resolved", "ok", "close", "closed", "recovered", "recovery", "up"],
} as const;

export const customWebhook = sender({
  name: "custom_webhook",
  title: "Custom webhook",
  description:
    "Any payload, read with your own JMESPath expressions. POST /integrations/:id/preview tests them.",
  options,
  says: ["acknowledge", "resolve"],
  check: (given) =>
    KEYS.flatMap((key) => {
      const fault = typeof given[key] === "string" ? expressionFault(given[key]) : null;
      const field = `option_${key}`;
      return fault === null ? [] : [{ field, message: `${field} ${fault}` }];
    }),
  read,
});

function read(fields: Payload, { options: given }: Told): Reading {
  const search = searcher(fields);
  const found = (key: Key) => {
    const expression = given[key];
    return typeof expression === "string" ? search(expression) : null;
  };
  const word = textOf(found("event_type_expression"));
  const said = given.event_type_expression ? kindOf(word, WORDS) : "create";
  if (said === null) {
    const reason = `event_type_expression gives ${word?.slice(0, 100) ?? "nothing"}`;
    return { kind: "ignored", reason };
  }
  const meta = found("meta_expression");
  return {
    kind: said,
    thirdpartyId: textOf(found("id_expression")),
    title: textOf(found("title_expression")),
    description: textOf(found("description_expression")),
    urgency: urgencyInText(textOf(found("urgency_expression")), given),
    tags: tagsOf(found("tags_expression")),
    dedupKeys: textsOf(found("dedup_keys_expression")),
    meta: isPayload(meta) ? meta : {},
  };
}
