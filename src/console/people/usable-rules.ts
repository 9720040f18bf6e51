// The notification rules that a person may use, as choices.
import type { NotificationRule } from "../../features/routing/notification-rules/contract.ts";
import type { Choice } from "../../kernel/console/choice.ts";

/** The rules that a person may use: those of the account, and their own. */
export const usableRules = (
  rules: readonly NotificationRule[],
  accountUserId: string,
): readonly NotificationRule[] =>
  rules.filter((it) => it.account_user_id === null || it.account_user_id === accountUserId);

/** Rules as choices; those of a person's own say so. */
export const ruleChoices = (rules: readonly NotificationRule[], own: string): readonly Choice[] =>
  rules.map(({ id, name, account_user_id, enabled }) => {
    const notes = [account_user_id ? own : "", enabled ? "" : "disabled"].filter(Boolean);
    return { value: id, label: notes.length > 0 ? `${name} (${notes.join(", ")})` : name };
  });
