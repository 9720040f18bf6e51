// TwiML: instructions for calls and for replies to messages, in XML, and what calls post back. Every
// text is escaped; control characters, which XML forbids, are removed.
import type { CallScript, CallStep, KeyPress } from "./provider.ts";

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

const say = (text: string) => `<Say>${escapeXml(text)}</Say>`;

function instructionOf(step: CallStep, answerUrl: string | null): string {
  switch (step.kind) {
    case "pause":
      return `<Pause length="${step.seconds}"/>`;
    case "say":
      return say(step.text);
    case "ask": {
      const texts = step.texts.map(say).join("");
      const action = escapeXml(answerUrl ?? "");
      return (
        `<Gather input="dtmf" numDigits="1" timeout="8" method="POST" action="${action}">` +
        `${texts}</Gather>`
      );
    }
  }
}

const documentOf = (instructions: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${instructions}</Response>`;

/**
 * The instructions of a call.
 *
 * @param answerUrl gets the digit pressed
 */
export const callTwiml = (script: CallScript, answerUrl: string | null): string =>
  documentOf(script.map((step) => instructionOf(step, answerUrl)).join(""));

/** The reply to a message, by message; empty for none. */
export const replyTwiml = (text: string | null): string =>
  documentOf(text === null ? "" : `<Message>${escapeXml(text)}</Message>`);

/** Parses what the question of a call posts back. */
export function readKeyPress(body: string): KeyPress {
  const form = new URLSearchParams(body);
  return { id: form.get("CallSid") ?? "", digit: form.get("Digits") ?? "" };
}

/** A response in TwiML. */
export const twimlResponse = (text: string): Response =>
  new Response(text, { headers: { "Content-Type": "text/xml; charset=utf-8" } });
