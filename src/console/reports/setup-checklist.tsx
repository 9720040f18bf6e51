// The steps until somebody is paged, for admins: until a page has been answered, a line on the list of
// alerts and the checklist on the page of readiness.
import { counted } from "../../domain/shared/counted.ts";
import type { Readiness } from "../../features/reports/readiness/contract.ts";
import { Icon } from "../../kernel/console/icons.tsx";
import { NoticeLine, Panel } from "../../kernel/console/panel.tsx";

type Step = Readiness["steps"][number]["step"];

const STEPS: Readonly<
  Record<Step, { readonly to: string; readonly label: string; readonly text: string }>
> = {
  team: { to: "/teams/new", label: "Create a team", text: "It has at least one member." },
  on_call: {
    to: "/on-call",
    label: "Put somebody on call",
    text: "Add a shift or a rotation to the team's schedule.",
  },
  policy: {
    to: "/on-call",
    label: "Check the escalation policy",
    text: "Who is notified next if nobody answers.",
  },
  integration: {
    to: "/integrations",
    label: "Create an integration",
    text: "Its alerts go to the team, or to a router.",
  },
  page: {
    to: "/readiness?view=drills",
    label: "Start a fire drill",
    text: "It pages the person on call as a real alert would. A real alert counts too.",
  },
  answer: {
    to: "/alerts?status=all",
    label: "Acknowledge the alert",
    text: "In the message, or on the alert's page, as the person who was paged.",
  },
};

const stepsLeft = ({ steps }: Readiness) =>
  `${counted(steps.filter(({ done }) => !done).length, "step")} left`;

/** The line on the list of alerts that leads to the checklist. */
export const SetupLine = ({ readiness }: { readonly readiness: Readiness }) =>
  readiness.ready ? null : (
    <NoticeLine tone="warn">
      <a href="/readiness#checklist">Set up paging</a>: {stepsLeft(readiness)}
    </NoticeLine>
  );

export const SetupChecklist = ({ readiness }: { readonly readiness: Readiness }) => {
  if (readiness.ready) return null;
  const next = readiness.steps.find(({ done }) => !done)?.step;
  return (
    <Panel
      title="Set up paging"
      id="checklist"
      aside={<span class="soft">{stepsLeft(readiness)}</span>}
    >
      <p>Alerts are not known to reach anybody until a page has been answered.</p>
      <ol class="checklist">
        {readiness.steps.map(({ step, done }) => (
          <li class={done ? "done" : undefined} aria-current={step === next ? "step" : undefined}>
            <span class="mark">
              {done ? <Icon name="check" /> : null}
              <span class="unseen">{done ? "Done:" : "To do:"}</span>
            </span>
            <span>
              <a href={STEPS[step].to}>{STEPS[step].label}</a>
              <span class="soft">{STEPS[step].text}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
