// Typeform's webhook: every response creates an alert that shows its answers.
import { isJsonObject } from "../../domain/shared/json.ts";
import { datum } from "../reading/additional-data.ts";
import { MAX_ITEMS } from "../reading/bounds.ts";
import { listAt, payloadAt, textAt, textOf } from "../reading/payload.ts";
import { createSenderType, readState } from "../sender-type.ts";

export const typeform = createSenderType({
  name: "typeform",
  title: "Typeform",
  description: "A webhook of Typeform: each response opens an alert.",
  options: [
    {
      key: "webhook_secret",
      type: "secret",
      required: false,
      default: null,
      help: "The webhook's secret: requests must then be signed with it (Typeform-Signature).",
    },
  ],
  // Shown as questions and answers.
  leavesOut: /^form_response\.(?:answers|definition)\b/,
  says: [],
  authentication: {
    signature: {
      option: "webhook_secret",
      header: "typeform-signature",
      encoding: "base64",
      prefix: "sha256=",
    },
  },
  read: (fields) => {
    const event = textAt(fields, "event_type");
    const kind = readState("event_type", event, {
      create: ["form_response"],
      ignore: ["form_response_partial"],
    });
    if (typeof kind !== "string") return kind;
    const response = payloadAt(fields, "form_response");
    const questions = listAt(response, "definition", "fields");
    return {
      kind,
      thirdpartyId: textAt(response, "token"),
      title: textAt(response, "definition", "title"),
      additionalData: listAt(response, "answers")
        .slice(0, MAX_ITEMS)
        .flatMap((answer, index) => {
          const label = textAt(questions[index], "title") ?? `answer ${index + 1}`;
          return datum(label, answerOf(answer));
        }),
    };
  },
});

/** The text of an answer, which is in the field named after its type. */
function answerOf(answer: unknown): string | null {
  if (!isJsonObject(answer)) return textOf(answer);
  const value = answer[textAt(answer, "type") ?? ""];
  return textAt(value, "label") ?? textAt(value, "labels") ?? textOf(value);
}
