// Custom mapping: users write a JMESPath expression per alert field, evaluated on any payload.

import { isJsonObject } from "../../domain/shared/json.ts";
import type { OptionDescription } from "../integration-type.ts";
import { createSearch, expressionFault } from "../reading/expression.ts";
import { type Payload, tagsOf, textOf, textsOf } from "../reading/payload.ts";
import { urgencyInText } from "../reading/severity.ts";
import { createSenderType, type ReadContext, type Reading, readState } from "../sender-type.ts";

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
  ignore: ["ignore", "ignored"],
} as const;

export const customWebhook = createSenderType({
  name: "custom_webhook",
  title: "Custom webhook",
  description: "Any JSON or form, read with your own JMESPath expressions.",
  options,
  says: ["acknowledge", "resolve"],
  check: (values) =>
    KEYS.flatMap((key) => {
      const fault = typeof values[key] === "string" ? expressionFault(values[key]) : null;
      const field = `option_${key}`;
      return fault === null ? [] : [{ field, message: `${field} ${fault}` }];
    }),
  read,
});

function read(fields: Payload, { options: values }: ReadContext): Reading {
  const search = createSearch(fields);
  const evaluate = (key: Key) => {
    const expression = values[key];
    return typeof expression === "string" ? search(expression) : null;
  };
  const word = textOf(evaluate("event_type_expression"));
  const kind = values.event_type_expression
    ? readState("event_type_expression", word ?? "nothing", WORDS)
    : "create";
  if (typeof kind !== "string") return kind;
  const meta = evaluate("meta_expression");
  return {
    kind,
    thirdpartyId: textOf(evaluate("id_expression")),
    title: textOf(evaluate("title_expression")),
    description: textOf(evaluate("description_expression")),
    urgency: urgencyInText(textOf(evaluate("urgency_expression")), values),
    tags: tagsOf(evaluate("tags_expression")),
    dedupKeys: textsOf(evaluate("dedup_keys_expression")),
    meta: isJsonObject(meta) ? meta : {},
    rest: null,
  };
}
