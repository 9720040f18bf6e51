// The dry run beside an editor: a payload goes in; which rule matched and who would be paged when comes out. Its fields
// belong to the form of the rules, and are sent with what stands there, kept or not.
import type { Attempt, Tried } from "../dry-run.ts";
import { refusalText, textOf, type Visit } from "../page.ts";
import { rulesFaults } from "../rules-faults.ts";
import { StatusBadge } from "./badge.tsx";
import { Button, type Choice, FIELDS_FORM, FormFaults, SelectField, TextArea } from "./form.tsx";
import { exactClockOf, Moment } from "./moment.tsx";
import { channelName } from "./notifications.tsx";
import { Facts, Panel } from "./panel.tsx";
import { withTimes } from "./story.tsx";
import { Table } from "./table.tsx";

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
          ["Would end", <StatusBadge status={preview.status} />],
        ]}
      />
      <h3>Who would be paged</h3>
      <Table
        label="Who would be paged"
        rows={preview.pages}
        columns={[
          { title: "Who", cell: ({ name }) => name },
          { title: "When", cell: ({ at }) => <Moment at={at} {...clock} exact /> },
          {
            title: "How",
            cell: ({ channel, reason }) =>
              channel ? channelName(channel) : (reason ?? "not at all"),
          },
          { title: "Why", cell: ({ decided_by, event }) => decided_by ?? event },
        ]}
        empty={<p class="faults">Nobody would be paged.</p>}
      />
      <h3>Step by step</h3>
      <ol class="steps">
        {preview.steps.map(({ at, message }) => (
          <li>
            <span class="soft">{exactClockOf(Date.parse(at), clock.zone)}</span>{" "}
            {withTimes(message, clock)}
          </li>
        ))}
      </ol>
      {preview.complete ? null : <p class="soft">It would go on for longer than was looked.</p>}
    </div>
  );
};

/** Why it could not be tried. What the rules are at fault for is marked where they stand. */
const Faults = ({ attempt }: { readonly attempt: Attempt | null }) => {
  if (!attempt?.ofForm) return <FormFaults refusal={attempt?.refusal} fields={["payload"]} />;
  const [line] = rulesFaults(attempt.ofForm);
  return (
    <div class="notice bad" role="alert">
      It cannot be tried yet:{" "}
      {line ? (
        <a href="#field-rules">line {line.line} of the rules is at fault</a>
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
  /** Whom the alert is for, where that has to be chosen. */
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
            label="An alert for"
            choices={people}
            value={textOf(form, "person")}
          />
        ) : null}
        {integrations.length > 0 ? (
          <SelectField
            {...part}
            name="integration"
            label="As it comes from"
            choices={[{ value: "", label: "the API: an alert's own fields" }, ...integrations]}
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
          Try it
        </Button>
      </div>
      {attempt?.tried ? <Result tried={attempt.tried} visit={visit} /> : null}
    </Panel>
  );
};
