// The work budget for evaluating rules. Rules come from users and the documents from any sender:
// each is bounded, but their product is not. An evaluation that exceeds the budget stops, and the
// caller falls back to the behaviour without rules, so no alert is lost.

/** In units: reading a value costs one, a regular expression its size times the text's length. */
export const MAX_WORK = 20_000_000;

export type WorkBudget = { left: number };

/** A full budget. */
export const newWorkBudget = (): WorkBudget => ({ left: MAX_WORK });

const EXHAUSTED = new Error("the rules took too much work");

/** Consumes units; throws to the enclosing `withinWorkBudget` when none are left. */
export function spendWork(work: WorkBudget, units: number): void {
  work.left -= units;
  if (work.left < 0) throw EXHAUSTED;
}

/** The result of the evaluation, or null if it exceeded its budget. */
export function withinWorkBudget<Result>(evaluate: () => Result): Result | null {
  try {
    return evaluate();
  } catch (error) {
    if (error === EXHAUSTED) return null;
    throw error;
  }
}
