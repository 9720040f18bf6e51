// The callback endpoints for providers, outside the versioned API. Requests are signed by the
// provider; 404 if the deployment has no credentials to verify them.
import { exampleId } from "../../contract/shared/examples.ts";
import type { RecordKind } from "../../domain/shared/identifiers.ts";
import { headersNamed, referencesTo } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

const inPath = (name: string, description: string, kind: RecordKind): Shape => ({
  name,
  in: "path",
  required: true,
  description,
  schema: text,
  example: exampleId(kind),
});

/** The notification that the message or call was made for. */
const notification = [
  inPath("account", "The `id` of the account.", "account"),
  inPath("person", "The `id` of the notified person's membership.", "account_user"),
  inPath("id", "The `id` of the notification.", "notification"),
];

const field = (description: string): Shape => ({ type: "string", description });

function form(properties: Readonly<Record<string, Shape>>, example: Shape): Shape {
  const schema = { type: "object", properties };
  return { required: true, content: { "application/x-www-form-urlencoded": { schema, example } } };
}

const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

const twimlResponse = (description: string): Shape => ({
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
      summary: "Receive an SMS",
      description:
        "The webhook of the number that sends notifications. `A` acknowledges and `R` rejects the only open alert, or with a code the alert with that code. `STOP` blocks the number and `START` unblocks it.",
      ...shared,
      parameters: [],
      requestBody: form(
        {
          From: field("The sender's number."),
          To: field("The number of the deployment."),
          Body: field("The text."),
        },
        { From: "+14155550123", To: "+14155550100", Body: "A 4821" },
      ),
      responses: { 200: twimlResponse("The reply (TwiML)."), ...refusals },
    },
  },
  "/callbacks/twilio/calls/{account}/{person}/{id}": {
    post: {
      operationId: "answerByCall",
      summary: "Receive a digit pressed in a call",
      description: "`1` acknowledges the alert of the call, `2` rejects it.",
      ...shared,
      parameters: notification,
      requestBody: form({ Digits: field("The digit.") }, { Digits: "1" }),
      responses: { 200: twimlResponse("The response that is read out (TwiML)."), ...refusals },
    },
  },
  "/callbacks/twilio/status/{account}/{person}/{id}": {
    post: {
      operationId: "reportDelivery",
      summary: "Receive a delivery report of a message or a call",
      description: "Updates the notification's `status`.",
      ...shared,
      parameters: notification,
      requestBody: form(
        {
          MessageSid: field("The message's ID."),
          MessageStatus: field("The status."),
          CallSid: field("The call's ID."),
          CallStatus: field("The status."),
          ErrorCode: field("The error code of a failure."),
        },
        { MessageSid: `SM${"0".repeat(32)}`, MessageStatus: "delivered" },
      ),
      responses: {
        204: { description: "Accepted.", headers: headersNamed(["X-Request-Id"]) },
        ...refusals,
      },
    },
  },
};
