// The dry run beside a rules editor: it takes a payload and shows which rule matches and who would
// be notified when. Its fields belong to the form of the rules and submit the rules as edited,
// saved or not.

import type { Visit } from "../../page.ts";
import type { Attempt, Tried } from "../../routing/dry-run.ts";
import { rulesFaults } from "../../routing/rules-faults.ts";
import { refusalText } from "../../shared/replies.ts";
import { textOf } from "../../shared/values.ts";
import { channelName } from "../alerts/notifications.tsx";
import { withTimes } from "../alerts/timeline.tsx";
import { StatusBadge } from "../shared/badge.tsx";
import {
  Button,
  type Choice,
  FIELDS_FORM,
  FormFaults,
  SelectField,
  TextArea,
} from "../shared/form.tsx";
import { exactClockOf, Moment } from "../shared/moment.tsx";
import { Facts, Panel } from "../shared/panel.tsx";
import { Table } from "../shared/table.tsx";

const EXAMPLE = JSON.stringify(
  { title: "Payments are failing", urgency: "high", tags: ["payments"] },
  null,
  2,
);

const Result = ({ tried, visit }: { readonly tried: Tried; readonly visit: Visit }) => {
  const { preview, title } = tried;
  const clock = { zone: visit.session.timeZone, now: visit.now };
  return (
    <div class="stack" id="result">
      <Facts
        facts={[
          ["Alert", title],
          ["Result", <StatusBadge status={preview.status} />],
        ]}
      />
      <h3>Notifications</h3>
      <Table
        label="Notifications"
        rows={preview.pages}
        columns={[
          { title: "Person", cell: ({ name }) => name },
          { title: "Time", cell: ({ at }) => <Moment at={at} {...clock} exact /> },
          {
            title: "Channel",
            cell: ({ channel, reason }) =>
              channel ? channelName(channel) : (reason ?? "not notified"),
          },
          { title: "Decided by", cell: ({ decided_by, event }) => decided_by ?? event },
        ]}
        empty={<p class="faults">Nobody would be notified.</p>}
      />
      <h3>Steps</h3>
      <ol class="steps">
        {preview.steps.map(({ at, message }) => (
          <li>
            <span class="soft">{exactClockOf(Date.parse(at), clock.zone)}</span>{" "}
            {withTimes(message, clock)}
          </li>
        ))}
      </ol>
      {preview.complete ? null : (
        <p class="soft">The preview ends here. Escalation would continue.</p>
      )}
    </div>
  );
};

/** Why the dry run failed. Errors in the rules are marked in the editor. */
const Faults = ({ attempt }: { readonly attempt: Attempt | null }) => {
  if (!attempt?.ofForm) return <FormFaults refusal={attempt?.refusal} fields={["payload"]} />;
  const [line] = rulesFaults(attempt.ofForm);
  return (
    <div class="notice bad" role="alert">
      The dry run failed:{" "}
      {line ? (
        <a href="#field-rules">line {line.line} of the rules is invalid</a>
      ) : (
        refusalText(attempt.ofForm)
      )}
    </div>
  );
};

export const DryRun = ({
  to,
  visit,
  help,
  integrations,
  people,
  attempt,
}: {
  readonly to: string;
  readonly visit: Visit;
  readonly help: string;
  readonly integrations: readonly Choice[];
  /** The choices for the alert's destination, if one is needed. */
  readonly people?: readonly Choice[];
  readonly attempt: Attempt | null;
}) => {
  const { form } = visit;
  const part = { form: FIELDS_FORM, refusal: attempt?.refusal ?? null };
  return (
    <Panel title="Dry run" id="dry-run">
      <p class="help">{help} Nothing is stored or sent.</p>
      <div class="fields">
        <Faults attempt={attempt} />
        {people ? (
          <SelectField
            {...part}
            name="person"
            label="Recipient"
            choices={people}
            value={textOf(form, "person")}
          />
        ) : null}
        {integrations.length > 0 ? (
          <SelectField
            {...part}
            name="integration"
            label="Source"
            choices={[{ value: "", label: "API (alert parameters)" }, ...integrations]}
            value={textOf(form, "integration")}
          />
        ) : null}
        <TextArea
          {...part}
          name="payload"
          label="Payload (JSON)"
          value={textOf(form, "payload") || EXAMPLE}
          rows={8}
          code
        />
        <Button tone="plain" form={FIELDS_FORM} to={`${to}/try#dry-run`} unchecked>
          Start dry run
        </Button>
      </div>
      {attempt?.tried ? <Result tried={attempt.tried} visit={visit} /> : null}
    </Panel>
  );
};
