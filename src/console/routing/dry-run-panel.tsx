// The dry run beside a rules editor: it takes a payload and shows which rule matches and who would
// be notified when. Its fields belong to the form of the rules and submit the rules as edited,
// saved or not.
import { channelWord } from "../../domain/people/messengers.ts";
import { counted } from "../../domain/shared/counted.ts";
import { eventWord } from "../../domain/shared/words.ts";
import type { ReplayedEvent, RouterReplay } from "../../features/routing/routers/contract.ts";
import { StatusBadge } from "../../kernel/console/badge.tsx";
import type { Choice } from "../../kernel/console/choice.ts";
import {
  Button,
  FIELDS_FORM,
  FormFaults,
  SelectField,
  TextArea,
  TextField,
} from "../../kernel/console/form.tsx";
import { waitOf } from "../../kernel/console/lengths.ts";
import { exactClockOf, Moment } from "../../kernel/console/moment.tsx";
import { Facts, Panel } from "../../kernel/console/panel.tsx";
import { refusalText } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { withTimes } from "../alerts/alert-panels.tsx";
import { type NamedRecord, namings, type WithVisit, withNames } from "../reads.ts";
import type { DryRunResult, Tried } from "./dry-run.ts";
import { rulesFaults } from "./rules-editor.tsx";

/** Of those that stay the same. */
const MAX_SAME = 20;

const Events = ({ label, rows }: Readonly<{ label: string; rows: readonly ReplayedEvent[] }>) => {
  const isChange = rows.some(({ different }) => different);
  return (
    <Table
      label={label}
      rows={rows}
      columns={[
        { title: "Time", cell: ({ at }) => <Moment at={at} exact /> },
        {
          title: "Event",
          cell: ({ title, integration_name }) => (
            <>
              {title} <span class="soft">{integration_name}</span>
            </>
          ),
        },
        ...(isChange
          ? [{ title: "Before", cell: ({ before }: ReplayedEvent) => before.summary }]
          : []),
        { title: isChange ? "After" : "Result", cell: ({ after }) => after.summary },
      ]}
    />
  );
};

const Replayed = ({ replayed }: { readonly replayed: RouterReplay }) => {
  const { requests, results, same, different, complete } = replayed;
  const changed = results.filter((it) => it.different);
  const unchanged = results.filter((it) => !it.different);
  return (
    <div class="stack" id="result">
      <h3>Past events</h3>
      <p>
        {different === 0
          ? `No difference for ${counted(same, "event")} of the last ${requests} requests.`
          : `A difference for ${counted(different, "event")}, none for ${same}, of the last ${requests} requests.`}
        {complete ? null : " Older requests were left out."}
      </p>
      {changed.length > 0 ? <Events label="Events with a difference" rows={changed} /> : null}
      {unchanged.length > 0 ? (
        <details>
          <summary>Events without a difference</summary>
          <Events label="Events without a difference" rows={unchanged.slice(0, MAX_SAME)} />
        </details>
      ) : null}
    </div>
  );
};

const EXAMPLE = JSON.stringify(
  { title: "Payments are failing", urgency: "high", tags: ["payments"] },
  null,
  2,
);

type ResultProps = WithVisit<{ tried: Tried; names: readonly NamedRecord[] }>;

const Result = ({ tried, visit, names }: ResultProps) => {
  const { preview, title } = tried;
  const clock = { zone: visit.session.timeZone, now: visit.now };
  const first = Date.parse(preview.pages[0]?.at ?? "");
  const byId = new Map<string, string>(names.flatMap(namings));
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
          { title: "Time", cell: ({ at }) => <Moment at={at} exact /> },
          { title: "After", cell: ({ at }) => waitOf(Date.parse(at) - first) },
          {
            title: "Channel",
            cell: ({ channel, reason }) =>
              channel === null ? (
                (reason ?? "not notified")
              ) : reason === null ? (
                channelWord(channel)
              ) : (
                <>
                  {channelWord(channel)} <span class="soft">{reason}</span>
                </>
              ),
          },
          { title: "Decided by", cell: ({ decided_by, event }) => decided_by ?? eventWord(event) },
        ]}
        empty={<p class="faults">Nobody would be notified.</p>}
      />
      <h3>Steps</h3>
      <ol class="steps">
        {preview.steps.map(({ at, message }) => (
          <li>
            <span class="soft">{exactClockOf(Date.parse(at), clock.zone)}</span>{" "}
            {withTimes(withNames(message, (id) => byId.get(id) ?? id))}
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
const Faults = ({ attempt }: { readonly attempt: DryRunResult | null }) => {
  if (!attempt?.ofForm) return <FormFaults refusal={attempt?.refusal} fields={["payload", "at"]} />;
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

type DryRunProps = WithVisit<{
  to: string;
  help: string;
  integrations: readonly Choice[];
  /** The choices for the alert's destination, if one is needed. */
  people?: readonly Choice[];
  attempt: DryRunResult | null;
  /** The records whose ids the steps can contain. */
  names: readonly NamedRecord[];
  /** Whether past events can be replayed. */
  replays?: boolean;
}>;

export const DryRun = (props: DryRunProps) => {
  const { to, visit, help, integrations, people, attempt, names, replays } = props;
  const { form } = visit;
  const of = { values: form, refusal: attempt?.refusal ?? null };
  const part = { form: FIELDS_FORM, of };
  return (
    <Panel title="Dry run" id="dry-run">
      <p class="help">{help} Nothing is stored or sent.</p>
      <div class="fields">
        <Faults attempt={attempt} />
        {people ? (
          <SelectField {...part} name="person" label="Recipient" choices={people} source="people" />
        ) : null}
        {integrations.length > 0 ? (
          <SelectField
            {...part}
            name="integration"
            label="Source"
            choices={[{ value: "", label: "API (alert parameters)" }, ...integrations]}
            source="integrations"
          />
        ) : null}
        <TextField
          {...part}
          name="at"
          label="Time"
          type="datetime-local"
          help={`In ${visit.session.timeZone}. Empty: now.`}
        />
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
        {replays ? (
          <Button
            {...{ tone: "plain", form: FIELDS_FORM, to: `${to}/try#dry-run`, unchecked: true }}
            {...{ name: "replay", value: "yes" }}
          >
            Replay past events
          </Button>
        ) : null}
      </div>
      {attempt?.tried ? <Result tried={attempt.tried} visit={visit} names={names} /> : null}
      {attempt?.replayed ? <Replayed replayed={attempt.replayed} /> : null}
    </Panel>
  );
};
