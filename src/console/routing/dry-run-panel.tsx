// The dry run beside a rules editor: it takes a payload and shows which rule matches and who would
// be notified when. Its fields belong to the form of the rules and submit the rules as edited,
// saved or not.

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
import { exactClockOf, Moment, waitOf } from "../../kernel/console/moment.tsx";
import { Facts, Panel } from "../../kernel/console/panel.tsx";
import { searchField } from "../../kernel/console/picker-search.ts";
import { refusalText } from "../../kernel/console/replies.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { channelName } from "../alerts/notifications.tsx";
import { withTimes } from "../alerts/timeline.tsx";
import type { NamedRecord } from "../names.ts";
import type { Visit } from "../page.ts";
import type { Attempt, Tried } from "./dry-run.ts";
import { Replayed } from "./replayed.tsx";
import { rulesFaults } from "./rules-faults.ts";

const EXAMPLE = JSON.stringify(
  { title: "Payments are failing", urgency: "high", tags: ["payments"] },
  null,
  2,
);

/** Replaces the ids of records with their names; a router's name is there already. */
function withNames(message: string, names: readonly NamedRecord[]): string {
  const byId = new Map(names.flatMap((it) => [[it.id, it.name] as const, [it.prefix_id, it.name]]));
  return message
    .replace(/ \(rtr_[\w-]{14}\)/g, "")
    .replace(
      /\b(?:[a-z]{3}_[\w-]{14}|[0-9A-HJKMNP-TV-Z]{26})(?![\w-])/g,
      (id) => byId.get(id) ?? id,
    );
}

const Result = ({
  tried,
  visit,
  names,
}: {
  readonly tried: Tried;
  readonly visit: Visit;
  readonly names: readonly NamedRecord[];
}) => {
  const { preview, title } = tried;
  const clock = { zone: visit.session.timeZone, now: visit.now };
  const first = Date.parse(preview.pages[0]?.at ?? "");
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
          { title: "After", cell: ({ at }) => waitOf(Date.parse(at) - first) },
          {
            title: "Channel",
            cell: ({ channel, reason }) =>
              channel === null ? (
                (reason ?? "not notified")
              ) : reason === null ? (
                channelName(channel)
              ) : (
                <>
                  {channelName(channel)} <span class="soft">{reason}</span>
                </>
              ),
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
            {withTimes(withNames(message, names), clock)}
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

export const DryRun = ({
  to,
  visit,
  help,
  integrations,
  people,
  attempt,
  names,
  replays,
}: {
  readonly to: string;
  readonly visit: Visit;
  readonly help: string;
  readonly integrations: readonly Choice[];
  /** The choices for the alert's destination, if one is needed. */
  readonly people?: readonly Choice[];
  readonly attempt: Attempt | null;
  /** The records whose ids the steps can contain. */
  readonly names: readonly NamedRecord[];
  /** Whether past events can be replayed. */
  readonly replays?: boolean;
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
            source="people"
            sought={textOf(form, searchField("person"))}
            value={textOf(form, "person")}
          />
        ) : null}
        {integrations.length > 0 ? (
          <SelectField
            {...part}
            name="integration"
            label="Source"
            choices={[{ value: "", label: "API (alert parameters)" }, ...integrations]}
            source="integrations"
            sought={textOf(form, searchField("integration"))}
            value={textOf(form, "integration")}
          />
        ) : null}
        <TextField
          {...part}
          name="at"
          label="Time"
          type="datetime-local"
          value={textOf(form, "at")}
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
      {attempt?.replayed ? <Replayed replayed={attempt.replayed} visit={visit} /> : null}
    </Panel>
  );
};
