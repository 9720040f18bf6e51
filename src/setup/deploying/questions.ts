// Asks the person at the terminal what neither flags nor settings say.
import { createInterface } from "node:readline/promises";
import type * as z from "zod";

type Question = {
  readonly text: string;
  /** What an empty answer means; without it the question is asked again. */
  readonly fallback?: string;
  readonly schema?: z.ZodType<string>;
};

export type Ask = (question: Question) => Promise<string>;

/** The fault of an answer, or null. */
function faultOf({ schema }: Question, answer: string): string | null {
  if (answer === "") return "needs an answer";
  const parsed = schema?.safeParse(answer);
  return parsed === undefined || parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
}

/** Asks until there is a valid answer. */
async function askUntilValid(
  read: (text: string) => Promise<string>,
  question: Question,
): Promise<string> {
  const { text, fallback } = question;
  for (;;) {
    const answer = (await read(`${text}${fallback ? ` [${fallback}]` : ""}: `)).trim();
    if (answer === "" && fallback !== undefined) return fallback;
    const fault = faultOf(question, answer);
    if (fault === null) return answer;
    console.log(`  The answer ${fault}.`);
  }
}

/** How to ask here: at a terminal; null where nobody can answer. */
export function questionsAtTerminal(isSilent: boolean): Ask | null {
  if (isSilent || !process.stdin.isTTY || !process.stdout.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await askUntilValid((text) => terminal.question(text), question);
    } finally {
      terminal.close();
    }
  };
}
