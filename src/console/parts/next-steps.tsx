// Who is asked now, and what happens when they do not answer: said exactly, before anything else is read.
import type { Alert } from "../../contract/alerts/alert.ts";
import type { Next } from "../next-steps.ts";
import { fitting } from "./folded.tsx";
import { Moment } from "./moment.tsx";
import { Panel } from "./panel.tsx";

const listed = (names: readonly string[]) =>
  names.length === 0 ? "nobody" : names.join(", ").replace(/, ([^,]*)$/, " and $1");

function afterwards({ after, repeats, reassigned }: Next): string {
  if (after) return `${listed(after.names)} (layer ${after.layer}) will be asked`;
  if (repeats) return "everybody is asked again, from the first layer";
  if (reassigned.length > 0) return `it goes on to ${listed(reassigned)}`;
  return "nobody is left to ask: the alert counts as unanswered, and the team is told";
}

const ROOM_BYTES = 4_000;
const textOf = (step: Next) => `${step.destination} ${step.asked} ${afterwards(step)}`;

const IDLE: Readonly<Record<string, string>> = {
  queued: "It waits for a router's delay; then people are asked.",
  acknowledged: "Nothing: somebody has it. Nobody else is asked.",
  resolved: "Nothing: it is over.",
  dropped:
    "Nothing by itself: everybody was asked, and nobody answered. Acknowledge it, or hand it off.",
  suppressed: "Nothing: nobody is asked for it.",
  open: "The next step is being taken.",
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
  const shown = fitting(next, textOf, ROOM_BYTES);
  return (
    <Panel title="What comes next" id="next" kind={`next ${alert.status}`}>
      {next.length === 0 ? <p>{IDLE[alert.status] ?? "Nothing."}</p> : null}
      {shown.map((step) => (
        <p>
          <strong>{step.destination}</strong>: {listed(step.asked)}{" "}
          {step.asked.length === 1 ? "is" : "are"} asked now. Without an answer, at{" "}
          <strong>
            <Moment at={step.at} zone={zone} now={now} exact relative />
          </strong>
          , {afterwards(step)}.
        </p>
      ))}
      {shown.length < next.length ? (
        <p>And {next.length - shown.length} destinations more.</p>
      ) : null}
    </Panel>
  );
};
