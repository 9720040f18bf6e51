// The dry run beside an editor: a payload goes in; which rule matched and who would be paged when comes out.
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import type { Tried } from "../dry-run.ts";
import { textOf, type Visit } from "../page.ts";
import { Button, type Choice, Form, FormFaults, SelectField, TextArea } from "./form.tsx";
import { exactClockOf, Moment } from "./moment.tsx";
import { Facts, Panel } from "./panel.tsx";
import { Table } from "./table.tsx";

const EXAMPLE = JSON.stringify(
  { title: "Payments are failing", urgency: "high", tags: ["payments"] },
  null,
  2,
);

const Result = ({ tried, visit }: { readonly tried: Tried; readonly visit: Visit }) => {
  const { preview, alert } = tried;
  const clock = { zone: visit.session.timeZone, now: visit.now };
  return (
    <div class="stack" id="result">
      <Facts
        facts={[
          ["Alert", String(alert.title ?? "")],
          ["Would end", preview.status],
        ]}
      />
      <h3>Who would be paged</h3>
      <Table
        label="Who would be paged"
        rows={preview.pages}
        columns={[
          { title: "When", cell: ({ at }) => <Moment at={at} {...clock} exact /> },
          { title: "Who", cell: ({ name }) => name },
          { title: "How", cell: ({ channel, reason }) => channel ?? reason ?? "not at all" },
          { title: "Why", cell: ({ decided_by, event }) => decided_by ?? event },
        ]}
        empty={<p class="faults">Nobody would be paged.</p>}
      />
      <h3>Step by step</h3>
      <ol class="steps">
        {preview.steps.map(({ at, message }) => (
          <li>
            <span class="soft">{exactClockOf(Date.parse(at), clock.zone)}</span> {message}
          </li>
        ))}
      </ol>
      {preview.complete ? null : <p class="soft">It would go on for longer than was looked.</p>}
    </div>
  );
};

export const DryRun = ({
  to,
  visit,
  integrations,
  people,
  outcome,
}: {
  readonly to: string;
  readonly visit: Visit;
  readonly integrations: readonly Choice[];
  /** Whom the alert is for, where that has to be chosen. */
  readonly people?: readonly Choice[];
  readonly outcome: Tried | Refusal | null;
}) => {
  const refusal = isRefusal(outcome) ? outcome : null;
  const { form, session } = visit;
  return (
    <Panel title="Dry run" id="dry-run">
      <p class="help">By the rules as they are kept. Nothing is stored or sent.</p>
      <Form to={`${to}#dry-run`} session={session} kind="fields">
        <FormFaults refusal={refusal} fields={["payload"]} />
        {people ? (
          <SelectField
            name="person"
            label="An alert for"
            choices={people}
            value={textOf(form, "person")}
          />
        ) : null}
        {integrations.length > 0 ? (
          <SelectField
            name="integration"
            label="As it comes from"
            choices={[{ value: "", label: "the API: an alert's own fields" }, ...integrations]}
            value={textOf(form, "integration")}
          />
        ) : null}
        <TextArea
          name="payload"
          label="Payload (JSON)"
          value={textOf(form, "payload") || EXAMPLE}
          rows={8}
          code
          refusal={refusal}
        />
        <Button tone="plain">Try it</Button>
      </Form>
      {outcome !== null && !isRefusal(outcome) ? <Result tried={outcome} visit={visit} /> : null}
    </Panel>
  );
};
