// What an import of a configuration file changes: the records with their fields, and who is paged
// differently.
import type { ConfigurationImport } from "../../features/operations/configuration/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import { Table } from "../../kernel/console/table.tsx";
import type { Names } from "../names.ts";
import { type Clock, OnCallChanges } from "../oncall/events/on-call-changes.tsx";

type Change = ConfigurationImport["changes"][number];
type Field = Change["fields"][number];

const KINDS: Readonly<Record<Change["kind"], string>> = {
  notification_rule: "Notification rule",
  account_user: "Person",
  schedule: "Schedule",
  escalation_policy: "Escalation policy",
  team: "Team",
  router: "Router",
};

const words = (field: string) => field.replaceAll("_", " ");

function valueText(value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value) && value.every((it) => typeof it === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const FieldLine = ({ field, before, after }: Field) => (
  <div>
    <strong>{words(field)}</strong>: {valueText(before)} → {valueText(after)}
  </div>
);

const Fields = ({ change: { action, fields } }: { readonly change: Change }) =>
  action === "create" ? (
    <span class="soft">{fields.map(({ field }) => words(field)).join(", ")}</span>
  ) : (
    fields.map((it) => <FieldLine {...it} />)
  );

/** The records that an import creates and changes. */
export const ChangedRecords = ({ changes }: Pick<ConfigurationImport, "changes">) => (
  <Table<Change>
    label="Changes"
    rows={changes}
    empty={<p>The file changes nothing.</p>}
    columns={[
      {
        title: "Change",
        cell: ({ action }) =>
          action === "create" ? <Badge tone="good">new</Badge> : <Badge tone="warn">changed</Badge>,
      },
      { title: "Record", cell: ({ kind }) => KINDS[kind] },
      { title: "Key", cell: ({ key }) => key },
      { title: "Fields", cell: (change) => <Fields change={change} /> },
    ]}
  />
);

/** Who is on call differently for the teams that get another schedule. */
export const PagedDifferently = ({
  teams,
  names,
  clock,
}: {
  readonly teams: ConfigurationImport["on_call"];
  readonly names: Names;
  readonly clock: Clock;
}) => {
  return (
    <>
      {teams
        .filter(({ changes }) => changes.length > 0)
        .map(({ team_id: id, changes }) => (
          <Panel title={`On call for ${names.of(id)}`}>
            <OnCallChanges
              label={`Changes of who is on call for ${names.of(id)}`}
              {...{ changes, names, clock }}
            />
          </Panel>
        ))}
    </>
  );
};
