// The escalation panel: who has been notified, and who will be if nobody acknowledges.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { fitting } from "../../kernel/console/folded.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { Next } from "./next-steps.ts";

const joinNames = (names: readonly string[]) =>
  names.length === 0 ? "nobody" : names.join(", ").replace(/, ([^,]*)$/, " and $1");

function nextStepText({ after, repeats, reassigned }: Next): string {
  if (after)
    return `${joinNames(after.names)} (layer ${after.layer}) ${after.names.length > 1 ? "are" : "is"} notified`;
  if (repeats) return "escalation starts again at the first layer";
  if (reassigned.length > 0) return `the alert is reassigned to ${joinNames(reassigned)}`;
  return "nobody is left to notify: the alert is dropped, and the team's drop recipients are notified";
}

const ROOM_BYTES = 4_000;
const textOf = (step: Next) => `${step.destination} ${step.asked} ${nextStepText(step)}`;

const IDLE: Readonly<Record<string, string>> = {
  queued: "A router delays the alert. People are notified afterwards.",
  acknowledged: "The alert is acknowledged. Escalation has stopped.",
  resolved: "The alert is resolved. Escalation has ended.",
  dropped:
    "Nobody acknowledged the alert, and escalation has ended. Acknowledge the alert or hand it off.",
  suppressed: "The alert is suppressed. Nobody is notified.",
  open: "The next step is in progress.",
};

export const NextSteps = ({
  next,
  alert,
  zone,
  now,
}: {
  readonly next: readonly Next[];
  readonly alert: Alert;
  readonly zone: string;
  readonly now: number;
}) => {
  const visible = fitting(next, textOf, ROOM_BYTES);
  return (
    <Panel title="Escalation" id="next" kind={`next ${alert.status}`}>
      {next.length === 0 ? <p>{IDLE[alert.status] ?? "No further steps."}</p> : null}
      {visible.map((step) => (
        <p>
          <strong>{step.destination}</strong>: {joinNames(step.asked)}{" "}
          {step.asked.length > 1 ? "were" : "was"} notified. If nobody acknowledges by{" "}
          <strong>
            <Moment at={step.at} zone={zone} now={now} exact relative />
          </strong>
          , {nextStepText(step)}.
        </p>
      ))}
      {visible.length < next.length ? (
        <p>{next.length - visible.length} more destinations.</p>
      ) : null}
    </Panel>
  );
};
