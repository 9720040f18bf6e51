// The work budget for evaluating rules. Rules come from users and the documents from any sender:
// each is bounded, but their product is not. An evaluation that exceeds the budget ends early with
// any result, which counts for nothing: the caller falls back to the behaviour without rules, so no
// alert is lost.

/** In units: reading a value costs one, a regular expression its size times the text's length. */
export const MAX_WORK = 20_000_000;

export type WorkBudget = {
  left: number;
  /** Whether the evaluation asked for more than was left. */
  isExceeded: boolean;
};

/** A full budget. */
export const newWorkBudget = (): WorkBudget => ({ left: MAX_WORK, isExceeded: false });

/** Consumes units. False if there were not as many left: the evaluation has to end. */
export function spendWork(work: WorkBudget, units: number): boolean {
  if (work.left >= 0) work.left -= units;
  if (work.left < 0) work.isExceeded = true;
  return work.left >= 0;
}

/** The result of the evaluation, or null if it exceeded its budget. */
export function withinWorkBudget<Result>(work: WorkBudget, evaluate: () => Result): Result | null {
  work.isExceeded = false;
  const result = evaluate();
  return work.isExceeded ? null : result;
}
