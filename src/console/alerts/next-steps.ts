// What comes next for an alert that nobody has answered, in the names of those it concerns.
import type { NextStep } from "../../contract/alerts/next-step.ts";
import type { Names } from "../shared/names.ts";

export type Next = {
  readonly destination: string;
  /** Who is asked now. */
  readonly asked: readonly string[];
  /** ISO; when those asked have had their time. */
  readonly at: string;
  /** Who is asked then; null where nobody is left on a further layer. */
  readonly after: { readonly layer: number; readonly names: readonly string[] } | null;
  /** Another pass from the first layer follows the last one. */
  readonly repeats: boolean;
  readonly reassigned: readonly string[];
};

/** One for each destination that is still waiting for an answer. */
export const nextSteps = (steps: readonly NextStep[], names: Names): readonly Next[] =>
  steps.map((step) => ({
    destination: names.of(step.destination_id),
    asked: step.account_user_ids.map(names.of),
    at: step.at,
    after:
      step.next && step.next.pass === step.pass
        ? { layer: step.next.layer, names: step.next.account_user_ids.map(names.of) }
        : null,
    repeats: step.next !== null && step.next.pass > step.pass,
    reassigned: [...step.reassign_team_ids, ...step.reassign_account_user_ids].map(names.of),
  }));
