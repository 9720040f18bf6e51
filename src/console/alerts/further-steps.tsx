// What a responder may do beyond answering an alert: escalate it now, snooze it, merge it into
// another one, reopen it.
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import { beginning, isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { ActionButton, Button, Form, SelectField } from "../../kernel/console/form.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { Visit } from "../page.ts";
import { isRunning } from "./alert-state.ts";

/** How long an alert may be snoozed by one button, in minutes. */
const SNOOZES = [
  ["60", "1 hour"],
  ["240", "4 hours"],
  ["1440", "1 day"],
  ["10080", "1 week"],
] as const;

/** Per choice. */
const TITLE_BYTES = 100;

export const FurtherSteps = ({
  alert,
  others,
  visit,
}: {
  readonly alert: Alert;
  /** The alerts that it may be merged into; null if they were not read. */
  readonly others: readonly Alert[] | null;
  readonly visit: Visit;
}) => {
  const { session, url } = visit;
  const to = `/alerts/${alert.prefix_id}`;
  if (alert.status === "resolved") {
    return (
      <Panel title="More" id="more">
        <ActionButton to={`${to}/reopen`} session={session} label="Reopen" />
      </Panel>
    );
  }
  return (
    <details class="panel" id="more" open={isWhole(url, "merge")}>
      <summary>{isRunning(alert) ? "Escalate, snooze, merge" : "Merge"}</summary>
      {alert.status === "open" ? (
        <ActionButton to={`${to}/escalate`} session={session} label="Escalate now" />
      ) : null}
      {isRunning(alert) ? (
        <Form to={`${to}/snooze`} session={session}>
          <span>Snooze for</span>
          {SNOOZES.map(([minutes, label]) => (
            <Button tone="plain" name="minutes" value={minutes}>
              {label}
            </Button>
          ))}
        </Form>
      ) : null}
      {others === null ? (
        <Unfold url={url} part="merge">
          Merge into another alert
        </Unfold>
      ) : (
        <MergeForm to={`${to}/merge`} others={others} visit={visit} />
      )}
    </details>
  );
};

const MergeForm = ({
  to,
  others,
  visit,
}: {
  readonly to: string;
  readonly others: readonly Alert[];
  readonly visit: Visit;
}) => {
  const choices = [
    { value: "", label: others.length === 0 ? "There is no other alert" : "Choose an alert" },
    ...others.map(({ prefix_id, title }) => ({
      value: prefix_id,
      label: beginning(title, TITLE_BYTES),
    })),
  ];
  return (
    <Form to={to} session={visit.session} kind="fields">
      <SelectField
        name="into"
        label="Merge into"
        choices={choices}
        help="This alert is resolved. Its later events are the other alert's."
        required
      />
      <Button>Merge</Button>
    </Form>
  );
};
