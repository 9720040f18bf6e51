// Receives mail to an integration's address, `<intake_key>@…`: parses it, truncates it to what an
// alert can show, and delivers it to the integration's inbox. Temporary failures throw, so that the
// sending server retries.
import { MAIL_METHOD } from "../../../products/general/email.ts";
import { boundText, MAX_DESCRIPTION } from "../../../products/reading/bounds.ts";
import { deliverTo } from "./deliver.ts";
import { entranceOfKey } from "./deliver-by-key.ts";
import { decodeEntities } from "./html-entities.ts";
import { type InboundMail, readMessage } from "./read-message.ts";

/** The size limit of the mail routing service. */
const MAX_MESSAGE_BYTES = 26_214_400;
const MAX_TEXT = 4 * MAX_DESCRIPTION;
const UNKNOWN = "No such address";

/** Headers that classify a message. */
const STORED_HEADERS = ["auto-submitted", "precedence", "x-autoreply", "x-priority", "x-severity"];

/** Receives one message. A rejection goes to the sender; an exception makes its server retry. */
export async function receiveMail(
  message: ForwardableEmailMessage,
  env: Cloudflare.Env,
): Promise<void> {
  const intakeKey = /^([0-9a-z]{32})(?:\+[^@]*)?@/i.exec(message.to.trim())?.[1] ?? "";
  const entrance = entranceOfKey(env, intakeKey);
  if (entrance === null) return message.setReject(UNKNOWN);
  if (message.rawSize > MAX_MESSAGE_BYTES) return message.setReject("The message is too large");
  // Mail has no network address, so failures are limited by the sender's domain.
  const address = `mail from ${message.from.split("@").pop()?.trim().toLowerCase() ?? ""}`;
  const received = await deliverTo({ env, address, requestId: null }, entrance, async () => {
    const mail = await readMessage(await new Response(message.raw).bytes());
    return {
      method: MAIL_METHOD,
      url: `https://mail.invalid/integration/${entrance.name}`,
      headers: [["content-type", "application/json"]],
      body: new TextEncoder().encode(JSON.stringify(readMail(mail, message.from))),
      remoteIp: null,
      proof: { intakeKey },
    };
  });
  if (received.kind === "accepted") return;
  const { reason, errors } = received;
  if (reason === "not_found" || reason === "unauthenticated") return message.setReject(UNKNOWN);
  if (reason === "too_many" || reason === "overloaded") throw new Error("too much mail");
  if (reason === "unavailable") throw new Error("the integration cannot be reached");
  message.setReject(errors.map((error) => error.message).join("; "));
}

/** The parts of a message that an alert can show; attachments without content. */
function readMail({ email: mail, headers }: InboundMail, envelopeFrom: string) {
  const stored = [...headers].filter(([name]) => STORED_HEADERS.includes(name));
  return {
    message_id: headers.get("message-id") ?? null,
    in_reply_to: headers.get("in-reply-to") ?? null,
    references: headers.get("references") ?? null,
    subject: headers.get("subject") ?? null,
    from: mail.from?.address ?? envelopeFrom,
    envelope_from: envelopeFrom,
    text: boundText(mail.text?.trim() || textOfHtml(mail.html ?? ""), MAX_TEXT),
    headers: Object.fromEntries(stored),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      type: mimeType,
      size: typeof content === "string" ? content.length : content.byteLength,
    })),
  };
}

/** Extracts the text of HTML, for messages without a text part. */
function textOfHtml(html: string): string {
  const text = ["title", "style", "script"]
    .reduce(withoutElement, html.slice(0, 8 * MAX_TEXT))
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "");
  return decodeEntities(text)
    .replaceAll("\u00a0", " ")
    .replace(/\n[ \t\r]*(?:\n[ \t\r]*)+/g, "\n\n")
    .trim();
}

/** Removes all elements of that name; an unclosed one removes the rest of the text. */
function withoutElement(html: string, name: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  for (let start = lower.indexOf(`<${name}`); start >= 0; start = lower.indexOf(`<${name}`, at)) {
    parts.push(html.slice(at, start));
    const end = lower.indexOf(`</${name}>`, start);
    at = end < 0 ? html.length : end + name.length + 3;
  }
  return parts.join("") + html.slice(at);
}
