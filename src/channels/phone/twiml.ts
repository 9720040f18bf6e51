// TwiML, Twilio's instructions for calls and answers to messages. Every text is escaped; control characters, which no
// XML may have, are left out.

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (character) => ESCAPED[character] ?? "");

export const say = (text: string) => `<Say>${escaped(text)}</Say>`;
export const pause = (seconds: number) => `<Pause length="${seconds}"/>`;

/** Takes one digit, while or after it says something, and posts it to `action`. */
export const gather = (action: string, ...inside: readonly string[]) =>
  `<Gather input="dtmf" numDigits="1" timeout="8" method="POST" action="${escaped(action)}">` +
  `${inside.join("")}</Gather>`;

/** An answer to a message, by message. */
export const message = (text: string) => `<Message>${escaped(text)}</Message>`;

/** The whole document. */
export const twiml = (...instructions: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${instructions.join("")}</Response>`;
