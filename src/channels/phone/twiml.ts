// TwiML: Twilio's instructions for calls and for replies to messages. Every text is escaped;
// control characters, which XML forbids, are removed.

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

export const say = (text: string) => `<Say>${escapeXml(text)}</Say>`;
export const pause = (seconds: number) => `<Pause length="${seconds}"/>`;

/** Takes one digit during or after the nested instructions and posts it to `action`. */
export const gather = (action: string, ...nested: readonly string[]) =>
  `<Gather input="dtmf" numDigits="1" timeout="8" method="POST" action="${escapeXml(action)}">` +
  `${nested.join("")}</Gather>`;

/** A reply to a message, by message. */
export const message = (text: string) => `<Message>${escapeXml(text)}</Message>`;

/** The whole document. */
export const twiml = (...instructions: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${instructions.join("")}</Response>`;
