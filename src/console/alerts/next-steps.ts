// The next escalation steps of an unacknowledged alert, with names.
import type { NextStep } from "../../features/alerts/escalation/contract.ts";
import type { Names } from "../reads.ts";

export type Next = {
  readonly destination: string;
  /** The people being notified now. */
  readonly asked: readonly string[];
  /** When their timeout ends (ISO 8601). */
  readonly at: string;
  /** The next layer; null if no further layer has anyone on call. */
  readonly after: { readonly layer: number; readonly names: readonly string[] } | null;
  /** Whether the policy starts over from the first layer after the last. */
  readonly repeats: boolean;
  readonly reassigned: readonly string[];
};

/** One entry for each destination that still waits for an acknowledgement. */
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
