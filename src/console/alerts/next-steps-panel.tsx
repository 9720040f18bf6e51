// The escalation panel: who has been notified, and who will be if nobody acknowledges.
import { counted } from "../../domain/shared/counted.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { fitting } from "../../kernel/console/folded.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { Next } from "./next-steps.ts";

const joinNames = (names: readonly string[]) =>
  names.length === 0 ? "nobody" : names.join(", ").replace(/, ([^,]*)$/, " and $1");

function nextStepText({ after, repeats, reassigned }: Next): string {
  if (after)
    return `${joinNames(after.names)} (step ${after.layer}) ${after.names.length > 1 ? "are" : "is"} notified`;
  if (repeats) return "escalation starts again at step 1";
  if (reassigned.length > 0) return `the alert is reassigned to ${joinNames(reassigned)}`;
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
          <strong>{step.destination}</strong>: {joinNames(step.asked)}{" "}
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
