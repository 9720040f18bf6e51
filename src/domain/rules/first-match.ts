// Which rule applies: top-down, the first that matches (contract 2, Rule language).
import type { NotificationEvent, NotificationRules } from "./notification-rules.ts";
import type { Rule } from "./rule-list.ts";
import { newWork, type Work, withinWork } from "./work.ts";

export type Match<Matched> =
  | { readonly kind: "rule"; readonly rule: Matched; readonly index: number }
  | { readonly kind: "none" }
  /** The rules took too much work: as none, but worth a warning. */
  | { readonly kind: "too_much" };

/**
 * The first rule that matches.
 *
 * @param view what conditions look at: `{alert, log}`
 * @param now epoch ms
 */
export function firstMatch<Matched extends Rule<unknown>>(
  rules: readonly Matched[],
  view: unknown,
  now: number,
  work: Work,
): Match<Matched> {
  const index = withinWork(() => rules.findIndex(({ match }) => match({ view, now, work })));
  if (index === null) return { kind: "too_much" };
  const rule = rules[index];
  return rule === undefined ? { kind: "none" } : { kind: "rule", rule, index };
}

/** The rule for one kind of event, of those that name it. */
export function firstNotificationMatch(
  rules: NotificationRules,
  event: NotificationEvent,
  view: unknown,
  now: number,
): Match<NotificationRules[number]> {
  const concerned = rules.filter(({ types }) => types.includes(event));
  const match = firstMatch(concerned, view, now, newWork());
  return match.kind === "rule" ? { ...match, index: rules.indexOf(match.rule) } : match;
}
