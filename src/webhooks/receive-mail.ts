// Mail to an integration's own address, `<intake_key>@…`: read, cut to what an alert can show, and handed to the
// integration's inbox like any other delivery. Whatever cannot be taken now is refused, for the sender to try again.
import PostalMime, { type Email } from "postal-mime";
import { boundedText, MAX_DESCRIPTION } from "../integrations/bounds.ts";
import { BY_MAIL } from "../integrations/types/email.ts";
import { deliverTo } from "./deliver.ts";
import { withCharacters } from "./html-entities.ts";
import { inboxOfKey } from "./intake.ts";

/** As large as mail gets on its way here. */
const MAX_MESSAGE_BYTES = 26_214_400;
const MAX_TEXT = 4 * MAX_DESCRIPTION;
const UNKNOWN = "No such address";

/** Headers that say what kind of message it is. */
const KEPT = ["auto-submitted", "precedence", "x-autoreply", "x-priority", "x-severity"];

/** Takes one message. A rejection is the sender's answer; a throw has its server try again. */
export async function receiveMail(
  message: ForwardableEmailMessage,
  env: Cloudflare.Env,
): Promise<void> {
  const intakeKey = /^([0-9a-f]{32})(?:\+[^@]*)?@/i.exec(message.to.trim())?.[1] ?? "";
  const name = inboxOfKey(intakeKey);
  if (name === null) return message.setReject(UNKNOWN);
  if (message.rawSize > MAX_MESSAGE_BYTES) return message.setReject("The message is too large");
  // Mail brings no network address: its sender's domain is what strangers are limited by.
  const address = `mail from ${message.from.split("@").pop()?.trim().toLowerCase() ?? ""}`;
  const received = await deliverTo({ env, address, requestId: null }, name, async () => {
    const mail = await PostalMime.parse(await new Response(message.raw).arrayBuffer());
    return {
      method: BY_MAIL,
      url: `https://mail.invalid/integration/${name}`,
      headers: [["content-type", "application/json"]],
      body: new TextEncoder().encode(JSON.stringify(readMail(mail, message.from))),
      remoteIp: null,
      proof: { intakeKey },
    };
  });
  if (received.kind === "accepted") return;
  const { reason, errors } = received;
  if (reason === "not_found" || reason === "unauthenticated") return message.setReject(UNKNOWN);
  if (reason === "too_many") throw new Error("too much mail");
  if (reason === "unavailable") throw new Error("the integration cannot be reached");
  message.setReject(errors.map((error) => error.message).join("; "));
}

/** What an alert may need of a message; attachments by name only. */
function readMail(mail: Email, envelopeFrom: string) {
  const headers = mail.headers.filter(({ key }) => KEPT.includes(key.toLowerCase()));
  return {
    message_id: mail.messageId ?? null,
    in_reply_to: mail.inReplyTo ?? null,
    references: mail.references ?? null,
    subject: mail.subject ?? null,
    from: mail.from?.address ?? envelopeFrom,
    envelope_from: envelopeFrom,
    text: boundedText(mail.text?.trim() || textOfHtml(mail.html ?? ""), MAX_TEXT),
    headers: Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value])),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      type: mimeType,
      size: typeof content === "string" ? content.length : content.byteLength,
    })),
  };
}

/** The words of HTML: for messages that have nothing else. */
function textOfHtml(html: string): string {
  const words = ["title", "style", "script"]
    .reduce(withoutElement, html.slice(0, 8 * MAX_TEXT))
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "");
  return withCharacters(words)
    .replaceAll("\u00a0", " ")
    .replace(/\n[ \t\r]*(?:\n[ \t\r]*)+/g, "\n\n")
    .trim();
}

/** The text without every element of that name; one that does not end takes the rest with it. */
function withoutElement(html: string, name: string): string {
  const lower = html.toLowerCase();
  const kept: string[] = [];
  let at = 0;
  for (let start = lower.indexOf(`<${name}`); start >= 0; start = lower.indexOf(`<${name}`, at)) {
    kept.push(html.slice(at, start));
    const end = lower.indexOf(`</${name}>`, start);
    at = end < 0 ? html.length : end + name.length + 3;
  }
  return kept.join("") + html.slice(at);
}
