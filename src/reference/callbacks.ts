// The addresses that providers call, outside the versioned API: signed by the provider, 404 where there is nothing to
// verify by.
import { exampleId } from "../contract/shared/examples.ts";
import { headersNamed, referencesTo } from "./errors.ts";
import { type Shape, text } from "./json-schema.ts";

const notification: Shape = {
  name: "id",
  in: "path",
  required: true,
  description: "The `id` of the notification that the message or call was made for.",
  schema: text,
  example: exampleId("notification"),
};

const field = (description: string): Shape => ({ type: "string", description });

function form(properties: Readonly<Record<string, Shape>>, example: Shape): Shape {
  const schema = { type: "object", properties };
  return { required: true, content: { "application/x-www-form-urlencoded": { schema, example } } };
}

const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

const instructions = (description: string): Shape => ({
  description,
  headers: headersNamed(["X-Request-Id"]),
  content: { "text/xml": { schema: text, example: EMPTY } },
});

const shared = { tags: ["Callbacks"], security: [{ twilio_signature: [] }] };
const refusals = referencesTo([
  "malformed",
  "forbidden",
  "not_found",
  "too_large",
  "unsupported_media",
  "too_many",
  "unavailable",
]);

export const callbackPaths: Shape = {
  "/callbacks/twilio/messages": {
    post: {
      operationId: "answerBySms",
      summary: "Take an SMS",
      description:
        "The webhook of the number that sends pages. `A` acknowledges and `R` rejects the one page that is open; with a page's code that page; `STOP` blocks the number and `START` frees it.",
      ...shared,
      parameters: [],
      requestBody: form(
        { From: field("Who sent it."), To: field("Our number."), Body: field("What it says.") },
        { From: "+14155550123", To: "+14155550100", Body: "A 4821" },
      ),
      responses: { 200: instructions("What is answered (TwiML)."), ...refusals },
    },
  },
  "/callbacks/twilio/calls/{id}": {
    post: {
      operationId: "answerByCall",
      summary: "Take a digit that was pressed in a call",
      description: "`1` acknowledges the alert that the call reads out, `2` rejects it.",
      ...shared,
      parameters: [notification],
      requestBody: form({ Digits: field("What was pressed.") }, { Digits: "1" }),
      responses: { 200: instructions("What is said then (TwiML)."), ...refusals },
    },
  },
  "/callbacks/twilio/status/{id}": {
    post: {
      operationId: "reportDelivery",
      summary: "Take a report of a message or a call",
      description: "Becomes the notification's `status`.",
      ...shared,
      parameters: [notification],
      requestBody: form(
        {
          MessageSid: field("The message."),
          MessageStatus: field("What became of it."),
          CallSid: field("The call."),
          CallStatus: field("What became of it."),
          ErrorCode: field("Why it did not arrive."),
        },
        { MessageSid: `SM${"0".repeat(32)}`, MessageStatus: "delivered" },
      ),
      responses: {
        204: { description: "Noted.", headers: headersNamed(["X-Request-Id"]) },
        ...refusals,
      },
    },
  },
};
