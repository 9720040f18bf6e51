// NCCO: Vonage's instructions for calls, a list of actions in JSON. An `input` action ends the
// instructions: the response to its callback replaces what follows it.
import type { CallScript } from "./provider.ts";

/** How long a key may take after the last word (seconds). */
const TIMEOUT = 8;

/** Without the control characters that speech synthesis refuses. */
const spoken = (text: string) => text.toWellFormed().replace(/\p{Cc}/gu, " ");

/**
 * The actions of a call. Repeated questions become one text with one `input` after it, so that the
 * message is read twice before the callback says that no key was pressed. Pauses are left out.
 *
 * @param answerUrl gets the digit pressed
 */
export function nccoOf(script: CallScript, answerUrl: string | null): readonly object[] {
  const questions = script.flatMap((step) => (step.kind === "ask" ? step.texts : []));
  if (questions.length > 0) {
    const text = spoken(questions.join(" "));
    const input = {
      action: "input",
      type: ["dtmf"],
      dtmf: { maxDigits: 1, timeOut: TIMEOUT },
      eventUrl: [answerUrl],
    };
    return [{ action: "talk", text, bargeIn: true }, input];
  }
  return script.flatMap((step) =>
    step.kind === "say" ? [{ action: "talk", text: spoken(step.text) }] : [],
  );
}
