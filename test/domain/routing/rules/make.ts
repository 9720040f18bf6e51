// Makers for the tests of rules: a rule's condition asked in one line, and documents with their faults.
import { compileMatch } from "../../../../src/domain/routing/conditions/condition.ts";
import { describeFault, type Fault } from "../../../../src/domain/routing/conditions/located.ts";
import { newWorkBudget } from "../../../../src/domain/routing/conditions/work-budget.ts";
import { parseRules } from "../../../../src/domain/routing/rules/parse.ts";
import type { RuleResult } from "../../../../src/domain/routing/rules/rule-list.ts";

/** Whether a condition (as JSON, a subset of YAML) holds for a view at an instant; throws at a fault. */
export function holds(condition: unknown, view: unknown, now: number | string = 0): boolean {
  const faults: Fault[] = [];
  const { root, faults: unread } = parseRules(JSON.stringify(condition));
  const match = root && compileMatch(root, faults);
  const all = [...unread, ...faults];
  if (!match) throw new Error(all.map(describeFault).join("; "));
  const at = typeof now === "string" ? Date.parse(now) : now;
  return match({ view, now: at, work: newWorkBudget() });
}

/** The condition on the field `alert.x` of an alert that has this `x`. */
export const holdsFor = (test: unknown, x: unknown) =>
  holds({ "alert.x": test }, { alert: x === undefined ? {} : { x } });

/** The faults of a condition, as shown. */
export function faultsOf(condition: unknown): string[] {
  const faults: Fault[] = [];
  const { root } = parseRules(JSON.stringify(condition));
  if (root) compileMatch(root, faults);
  return faults.map(describeFault);
}

/** The faults of a document as it is read. */
export const shown = (result: RuleResult<unknown>): string[] =>
  result.ok ? [] : result.faults.map(describeFault);
