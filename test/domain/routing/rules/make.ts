// Helpers for the tests of rules: evaluate a condition, and format the faults of conditions and documents.
import { compileMatch } from "../../../../src/domain/routing/conditions/condition.ts";
import { describeFault, type Fault } from "../../../../src/domain/routing/conditions/located.ts";
import { newWorkBudget } from "../../../../src/domain/routing/conditions/work-budget.ts";
import { parseRules } from "../../../../src/domain/routing/rules/parse.ts";
import type { RuleResult } from "../../../../src/domain/routing/rules/rule-list.ts";

/** Whether a condition (as JSON, a subset of YAML) holds for a view at an instant; throws on a fault. */
export function holds(condition: unknown, view: unknown, now: number | string = 0): boolean {
  const faults: Fault[] = [];
  const { root, faults: parseFaults } = parseRules(JSON.stringify(condition));
  const match = root && compileMatch(root, faults);
  const all = [...parseFaults, ...faults];
  if (!match) throw new Error(all.map(describeFault).join("; "));
  const at = typeof now === "string" ? Date.parse(now) : now;
  return match({ view, now: at, work: newWorkBudget() });
}

/** Whether a condition on the field `alert.x` holds for an alert with this `x`. */
export const holdsFor = (test: unknown, x: unknown) =>
  holds({ "alert.x": test }, { alert: x === undefined ? {} : { x } });

/** The faults of a condition, as messages. */
export function faultsOf(condition: unknown): string[] {
  const faults: Fault[] = [];
  const { root } = parseRules(JSON.stringify(condition));
  if (root) compileMatch(root, faults);
  return faults.map(describeFault);
}

/** The faults of a parsed document, as messages. */
export const shown = (result: RuleResult<unknown>): string[] =>
  result.ok ? [] : result.faults.map(describeFault);
