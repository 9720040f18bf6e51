// The callback endpoints for providers, outside the versioned API. Requests are signed by the
// provider; 404 if the deployment has no credentials to verify them.
import { exampleId } from "../../kernel/contract/examples.ts";
import { headersNamed, referencesTo } from "../errors.ts";
import { type Shape, text } from "../schemas/json-schema.ts";

/** What the message or call was made for. */
const token: Shape = {
  name: "token",
  in: "path",
  required: true,
  description:
    "Our token: whose notification it is, for this provider and purpose, for an hour after a call and seven days after a message.",
  schema: text,
  example: "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ0d2lsaW9fY2FsbHMifQ.c2lnbmF0dXJl",
};

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

const refusals = referencesTo([
  "malformed",
  "forbidden",
  "not_found",
  "too_large",
  "unsupported_media",
  "too_many",
  "unavailable",
]);

/** The schema of an example of a provider's own body, which may have more properties. */
function schemaOf(example: unknown): Shape {
  if (Array.isArray(example)) return { type: "array", items: schemaOf(example[0]) };
  if (typeof example !== "object" || example === null) return { type: typeof example };
  const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: true,
  };
}

const json = (example: Shape): Shape => ({
  required: true,
  content: { "application/json": { schema: schemaOf(example), example } },
});

const ncco: Shape = {
  description: "The actions that continue the call (NCCO).",
  headers: headersNamed(["X-Request-Id"]),
  content: {
    "application/json": {
      schema: { type: "array", items: { type: "object", additionalProperties: true } },
      example: [{ action: "talk", text: "The alert is acknowledged. Goodbye." }],
    },
  },
};

const ACCEPTED: Shape = { description: "Accepted.", headers: headersNamed(["X-Request-Id"]) };

/** What distinguishes the callbacks of a provider of SMS and calls. */
type PhoneCallbacks = {
  readonly name: string;
  readonly title: string;
  /** Ends the names of the operations. */
  readonly suffix: string;
  readonly sms: Shape;
  readonly smsReply: Shape;
  readonly digit: Shape;
  readonly digitReply: Shape;
  readonly report: Shape;
};

const SMS_ANSWERS =
  "The webhook of the number that sends notifications. `A` acknowledges and `P` (or `R`) rejects the alert of the message whose code follows. `STOP` blocks the number and `START` unblocks it. A message that comes again is neither done nor answered again.";

function pathsOf(callbacks: PhoneCallbacks): Shape {
  const { name, title, suffix } = callbacks;
  const shared = { tags: ["Callbacks"], security: [{ [`${name}_signature`]: [] }] };
  const ofProvider = suffix === "" ? "" : ` from ${title}`;
  return {
    [`/callbacks/${name}/messages`]: {
      post: {
        operationId: `answerBySms${suffix}`,
        summary: `Receive an SMS${ofProvider}`,
        description: SMS_ANSWERS,
        ...shared,
        parameters: [],
        requestBody: callbacks.sms,
        responses: { ...callbacks.smsReply, ...refusals },
      },
    },
    [`/callbacks/${name}/calls/{token}`]: {
      post: {
        operationId: `answerByCall${suffix}`,
        summary: `Receive a digit pressed in a call${ofProvider}`,
        description: "`1` acknowledges the alert of the call, `2` rejects it.",
        ...shared,
        parameters: [token],
        requestBody: callbacks.digit,
        responses: { 200: callbacks.digitReply, ...refusals },
      },
    },
    [`/callbacks/${name}/status/{token}`]: {
      post: {
        operationId: `reportDelivery${suffix}`,
        summary: `Receive a delivery report of a message or a call${ofProvider}`,
        description: "Updates the notification's `status`.",
        ...shared,
        parameters: [token],
        requestBody: callbacks.report,
        responses: { 204: ACCEPTED, ...refusals },
      },
    },
  };
}

const twilio = pathsOf({
  name: "twilio",
  title: "Twilio",
  suffix: "",
  sms: form(
    {
      MessageSid: field("The message's ID."),
      From: field("The sender's number."),
      To: field("The number of the deployment."),
      Body: field("The text."),
    },
    {
      MessageSid: `SM${"0".repeat(32)}`,
      From: "+14155550123",
      To: "+14155550100",
      Body: "A 4821",
    },
  ),
  smsReply: {
    200: twimlResponse("The reply (TwiML)."),
    204: { ...ACCEPTED, description: "Ignored: it has no `MessageSid`." },
  },
  digit: form({ Digits: field("The digit.") }, { Digits: "1" }),
  digitReply: twimlResponse("The response that is read out (TwiML)."),
  report: form(
    {
      MessageSid: field("The message's ID."),
      MessageStatus: field("The status."),
      CallSid: field("The call's ID."),
      CallStatus: field("The status."),
      ErrorCode: field("The error code of a failure."),
    },
    { MessageSid: `SM${"0".repeat(32)}`, MessageStatus: "delivered" },
  ),
});

const UUID = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab";

const vonage = pathsOf({
  name: "vonage",
  title: "Vonage",
  suffix: "OfVonage",
  sms: json({
    message_uuid: UUID,
    channel: "sms",
    from: "14155550123",
    to: "14155550100",
    text: "A 4821",
  }),
  smsReply: { 204: { ...ACCEPTED, description: "Accepted. The reply is an SMS of its own." } },
  digit: json({ uuid: UUID, dtmf: { digits: "1", timed_out: false } }),
  digitReply: ncco,
  report: json({ message_uuid: UUID, channel: "sms", status: "delivered" }),
});

const telnyx = pathsOf({
  name: "telnyx",
  title: "Telnyx",
  suffix: "OfTelnyx",
  sms: json({
    data: {
      event_type: "message.received",
      payload: {
        id: UUID,
        from: { phone_number: "+14155550123" },
        to: [{ phone_number: "+14155550100" }],
        text: "A 4821",
      },
    },
  }),
  smsReply: { 204: { ...ACCEPTED, description: "Accepted. The reply is an SMS of its own." } },
  digit: form({ Digits: field("The digit.") }, { Digits: "1" }),
  digitReply: twimlResponse("The response that is read out (TeXML)."),
  report: json({
    data: {
      event_type: "message.finalized",
      payload: { id: UUID, direction: "outbound", to: [{ status: "delivered" }] },
    },
  }),
});

const mailReport = (
  name: string,
  title: string,
  security: readonly Shape[],
  example: Shape,
): Shape => ({
  [`/callbacks/${name}`]: {
    post: {
      operationId: `reportDeliveryOf${title}`,
      summary: `Receive a delivery report of a mail from ${title}`,
      description: `Updates the notification's \`status\`.${security.length > 0 ? "" : " The signature is the property `signature` of the body."}`,
      tags: ["Callbacks"],
      security,
      parameters: [],
      requestBody: json(example),
      responses: { 204: ACCEPTED, ...refusals },
    },
  },
});

const TAG = [exampleId("account"), exampleId("account_user"), exampleId("notification")].join("-");

const resend = mailReport("resend", "Resend", [{ resend_signature: [] }], {
  type: "email.delivered",
  data: { email_id: UUID, tags: { notification: TAG } },
});

const mailgun = mailReport("mailgun", "Mailgun", [], {
  signature: { timestamp: "1769850000", token: "0".repeat(50), signature: "0".repeat(64) },
  "event-data": {
    event: "delivered",
    message: { headers: { "message-id": `${exampleId("notification")}@example.com` } },
    "user-variables": { notification: TAG },
  },
});

export const callbackPaths: Shape = { ...twilio, ...vonage, ...telnyx, ...resend, ...mailgun };
