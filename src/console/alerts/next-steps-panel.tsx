// The escalation panel: who has been notified, and who will be if nobody acknowledges.
import { counted } from "../../domain/shared/counted.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { NextStep } from "../../features/alerts/escalation/contract.ts";
import { fitting } from "../../kernel/console/folded.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import { listText } from "../oncall/rotation/planned-shifts.ts";
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

function nextStepText({ after, repeats, reassigned }: Next): string {
  if (after)
    return `${listText(after.names)} (step ${after.layer}) ${after.names.length > 1 ? "are" : "is"} notified`;
  if (repeats) return "escalation starts again at step 1";
  if (reassigned.length > 0) return `the alert is reassigned to ${listText(reassigned)}`;
  return "nobody is left to notify, and the alert is unanswered";
}

const ROOM_BYTES = 4_000;
const textOf = (step: Next) => `${step.destination} ${step.asked} ${nextStepText(step)}`;

const IDLE: Readonly<Record<string, string>> = {
  queued: "A router delays the alert. People are notified afterwards.",
  acknowledged: "The alert is acknowledged. Escalation has stopped.",
  resolved: "The alert is resolved. Escalation has ended.",
  dropped:
    "Nobody acknowledged the alert, and nobody is left to notify. Acknowledge it or hand it off.",
  suppressed: "The alert is muted. Nobody is notified.",
  open: "The next step is in progress.",
};

export const NextSteps = ({ next, alert }: Readonly<{ next: readonly Next[]; alert: Alert }>) => {
  const visible = fitting(next, textOf, ROOM_BYTES);
  return (
    <Panel title="Escalation" id="next" kind={`next ${alert.status} ${alert.urgency}`}>
      {alert.snoozed_until ? (
        <p>
          Nobody is notified until{" "}
          <strong>
            <Moment at={alert.snoozed_until} relative />
          </strong>
          . Then the alert is open again, and escalation starts at step 1.
        </p>
      ) : next.length === 0 ? (
        <p>{IDLE[alert.status] ?? "No further steps."}</p>
      ) : null}
      {visible.map((step) => (
        <p>
          <strong>{step.destination}</strong>: {listText(step.asked)}{" "}
          {step.asked.length > 1 ? "were" : "was"} notified. If nobody acknowledges by{" "}
          <strong>
            <Moment at={step.at} exact relative />
          </strong>
          , {nextStepText(step)}.
        </p>
      ))}
      {visible.length < next.length ? (
        <p>
          And{" "}
          {counted(next.length - visible.length, "more team or person", "more teams and people")}.
        </p>
      ) : null}
    </Panel>
  );
};
