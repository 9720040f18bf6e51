// What a responder does first with an alert: acknowledge, escalate, resolve. On a telephone, a bar at
// the foot of the screen, whose last button opens the sheet of all other steps.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { AlertWorkflow } from "../../features/alerts/escalation/contract.ts";
import { ActionButton } from "../../kernel/console/form.tsx";
import type { Visit } from "../page.ts";
import { canAcknowledge, isRunning } from "./alert-state.ts";
import type { Next } from "./next-steps-panel.tsx";

/** An alert as its steps need it. */
export type Steppable = {
  readonly alert: Alert;
  readonly workflows: readonly AlertWorkflow[];
  readonly next: readonly Next[];
};

/** The id of the sheet, which a button of the bar opens. */
export const SHEET = "more";

/** The destinations that ask this person now. */
const asking = ({ workflows }: Steppable, { session }: Visit) =>
  workflows.filter(
    ({ state, account_user_ids }) =>
      state === "open" && account_user_ids.includes(session.actor.accountUserId),
  );

/** Whether nobody else is asked, now or later. */
const isLastAsked = ({ next }: Steppable) =>
  next.every(
    ({ asked, after, repeats, reassigned }) =>
      asked.length <= 1 && after === null && !repeats && reassigned.length === 0,
  );

const NOBODY_LEFT = "Nobody else would be asked: the alert would be unanswered. Pass it on?";

type StepsProps = { readonly held: Steppable; readonly visit: Visit };

const stepOf =
  ({ held }: StepsProps) =>
  (path: string) => ({ to: `/alerts/${held.alert.prefix_id}/${path}`, retry: true });

const Resolve = (props: StepsProps & { readonly tone: "primary" | "plain" }) => (
  <ActionButton
    {...stepOf(props)("resolve")}
    label="Resolve"
    tone={props.tone}
    shortcut="e"
    becomes="resolved"
  />
);

export const AlertBar = (props: StepsProps) => {
  const { alert } = props.held;
  const step = stepOf(props);
  const isRequested = asking(props.held, props.visit).some(({ requested }) => requested);
  return (
    <div class="answers">
      {canAcknowledge(alert) || isRequested ? (
        <ActionButton
          {...step("acknowledge")}
          label="Acknowledge"
          tone="primary"
          shortcut="a"
          becomes="acknowledged"
        />
      ) : null}
      {alert.status === "open" ? (
        <ActionButton {...step("escalate")} label="Escalate" shortcut="p" />
      ) : null}
      {alert.status === "acknowledged" ? <Resolve {...props} tone="primary" /> : null}
      {alert.snoozed_until ? (
        // It stays acknowledged, and is not open again at the end.
        <ActionButton {...step("acknowledge")} label="End snooze" />
      ) : null}
      {alert.status === "resolved" ? (
        <ActionButton {...step("reopen")} label="Reopen" />
      ) : (
        <button
          type="button"
          class="button plain opens-sheet"
          popovertarget={SHEET}
          aria-label="More actions"
        >
          ⋯
        </button>
      )}
    </div>
  );
};

/** The answers that are not in the bar. */
export const FurtherAnswers = (props: StepsProps) => {
  const { held, visit } = props;
  const mayReject = asking(held, visit).length > 0;
  const mayResolve = isRunning(held.alert) && held.alert.status !== "acknowledged";
  return mayReject || mayResolve ? (
    <div class="buttons">
      {mayResolve ? <Resolve {...props} tone="plain" /> : null}
      {mayReject ? (
        <ActionButton
          {...stepOf(props)("reject")}
          label="Pass on"
          {...(isLastAsked(held) && { confirm: NOBODY_LEFT })}
          shortcut="r"
        />
      ) : null}
    </div>
  ) : null;
};
