// How much work the rules of one routing may take. Rules come from users, and what they look at from anybody: each
// is bounded, but their product is not. What has used up its share stops, and the caller falls back to what needs
// no rules; nothing is lost by it.

/** Units; looking at one value is one, a regular expression its size times the text's length. */
export const MAX_WORK = 20_000_000;

export type Work = { left: number };

export const newWork = (): Work => ({ left: MAX_WORK });

const EXHAUSTED = new Error("the rules took too much work");

/** Takes units off what is left; ends the evaluation, up to `withinWork`, when there are none. */
export function spend(work: Work, units: number): void {
  work.left -= units;
  if (work.left < 0) throw EXHAUSTED;
}

/** What the evaluation yields, or null when it used up its work. */
export function withinWork<Result>(evaluate: () => Result): Result | null {
  try {
    return evaluate();
  } catch (error) {
    if (error === EXHAUSTED) return null;
    throw error;
  }
}
