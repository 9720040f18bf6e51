// Mail to the integration's address: every message creates an alert, and a conversation shares one.
// Messages arrive already parsed, as JSON; nobody can post one.
import { datum } from "../reading/additional-data.ts";
import { listAt, type Payload, payloadAt, textAt, textOf } from "../reading/payload.ts";
import { urgencyInText } from "../reading/severity.ts";
import { createSenderType, type ReadContext, type Reading } from "../sender-type.ts";

/** The method of a delivery that arrived as mail. */
export const MAIL_METHOD = "EMAIL";

/** An automatic reply (RFC 3834). A notification (RFC 5436: auto-notified) is none. */
const AUTOMATIC = /^auto-replied/i;
const BOUNCES = /^(?:<>|<?(?:mailer-daemon|postmaster)@)/i;

export const email = createSenderType({
  name: "email",
  title: "E-mail",
  description: "Each e-mail to the integration's address opens an alert.",
  options: [
    {
      key: "group_by",
      type: "string",
      required: false,
      default: "thread",
      help: "thread: replies belong to the alert of the original message; subject: messages with the same subject do.",
    },
  ],
  says: [],
  check: ({ group_by: by }) =>
    by === undefined || by === "thread" || by === "subject"
      ? []
      : [{ field: "option_group_by", message: "option_group_by must be thread or subject" }],
  read,
});

function read(mail: Payload, { request, options }: ReadContext): Reading {
  if (request.method !== MAIL_METHOD) {
    return { kind: "invalid", errors: [{ message: "this integration takes e-mail only" }] };
  }
  const headers = payloadAt(mail, "headers");
  const reason = automaticReason(headers, textAt(mail, "envelope_from") ?? "<>");
  if (reason !== null) return { kind: "ignored", reason };
  const attachments = listAt(mail, "attachments");
  return {
    kind: "create",
    thirdpartyId: conversationOf(mail, options.group_by === "subject"),
    rest: null,
    title: textAt(mail, "subject") ?? `E-mail from ${textAt(mail, "from") ?? "nobody"}`,
    description: textAt(mail, "text"),
    urgency: urgencyInText(textAt(headers, "x-severity"), options) ?? urgencyOfPriority(headers),
    additionalData: [
      ...datum("from", textAt(mail, "from"), "email"),
      ...attachments.flatMap((one) => datum("attachment", attachmentText(one))),
    ],
  };
}

/** Why a message is ignored, if it is an automatic reply or a bounce. */
function automaticReason(headers: Payload, from: string): string | null {
  const submitted = textAt(headers, "auto-submitted");
  if (submitted !== null && AUTOMATIC.test(submitted)) return `Auto-Submitted: ${submitted}`;
  const precedence = textAt(headers, "precedence");
  if (precedence !== null && /^auto_reply$/i.test(precedence)) return "Precedence: auto_reply";
  if (textAt(headers, "x-autoreply") !== null) return "an automatic reply";
  return BOUNCES.test(from) ? "a bounce" : null;
}

/**
 * The id of the conversation's first message; with `bySubject`, the subject without Re: and Fwd:.
 */
function conversationOf(mail: Payload, bySubject: boolean): string | null {
  const subject = textAt(mail, "subject") ?? "";
  const bare = textOf(subject.replace(/^(?:\s*(?:re|fwd?|aw|wg|sv|tr)\s*(?:\[\d{1,3}\])?:)+/i, ""));
  if (bySubject) return bare;
  const [first] = /<[^<>\s]{1,900}>/.exec(textAt(mail, "references") ?? "") ?? [];
  return first ?? textAt(mail, "in_reply_to") ?? textAt(mail, "message_id") ?? bare;
}

const urgencyOfPriority = (headers: Payload) =>
  /^[12]\b/.test(textAt(headers, "x-priority") ?? "") ? "high" : null;

function attachmentText(attachment: unknown): string {
  const name = textAt(attachment, "filename") ?? "without a name";
  const size = Number(textAt(attachment, "size") ?? 0);
  return `${name} (${textAt(attachment, "type") ?? "unknown"}, ${size} bytes)`;
}
