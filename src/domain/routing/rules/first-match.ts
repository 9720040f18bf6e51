// Finds the first matching rule, top-down (contract 2, Rule language).

import type { NotificationEvent } from "../../notifications/notification-events.ts";
import { newWorkBudget, type WorkBudget, withinWorkBudget } from "../conditions/work-budget.ts";
import type { NotificationRules } from "./notification-rules.ts";
import type { Rule } from "./rule-list.ts";

export type Match<Matched> =
  | { readonly kind: "rule"; readonly rule: Matched; readonly index: number }
  | { readonly kind: "none" }
  /** The rules exceeded the work budget: treat as `none` and log a warning. */
  | { readonly kind: "too_much" };

/**
 * The first matching rule.
 *
 * @param view the document that conditions match: `{alert, log}`
 * @param now epoch ms
 */
export function firstMatch<Matched extends Rule<unknown>>(
  rules: readonly Matched[],
  view: unknown,
  now: number,
  work: WorkBudget,
): Match<Matched> {
  const find = () => rules.findIndex(({ match }) => match({ view, now, work }));
  const index = withinWorkBudget(work, find);
  if (index === null) return { kind: "too_much" };
  const rule = rules[index];
  return rule === undefined ? { kind: "none" } : { kind: "rule", rule, index };
}

/** The first matching rule among those that list the event. */
export function firstNotificationMatch(
  rules: NotificationRules,
  event: NotificationEvent,
  view: unknown,
  now: number,
): Match<NotificationRules[number]> {
  const applicable = rules.filter(({ types }) => types.includes(event));
  const match = firstMatch(applicable, view, now, newWorkBudget());
  return match.kind === "rule" ? { ...match, index: rules.indexOf(match.rule) } : match;
}
