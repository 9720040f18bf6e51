// What an import of a configuration file changes: the records with their fields, and who is paged
// differently.
import type { ConfigurationImport } from "../../../contract/configuration/configuration-import.ts";
import type { Names } from "../../shared/names.ts";
import { Everybody } from "../people/person.tsx";
import { Badge } from "../shared/badge.tsx";
import { dayAndClockOf } from "../shared/moment.tsx";
import { Panel } from "../shared/panel.tsx";
import { Table } from "../shared/table.tsx";

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

type Clock = { readonly zone: string; readonly now: number };

const People = ({ names, ids }: { readonly names: Names; readonly ids: readonly string[] }) =>
  ids.length === 0 ? <Badge tone="bad">nobody</Badge> : <Everybody names={names} ids={ids} />;

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
  const when = (at: string) => dayAndClockOf(at, clock.zone, clock.now);
  return (
    <>
      {teams
        .filter(({ changes }) => changes.length > 0)
        .map(({ team_id: id, changes }) => (
          <Panel title={`On call for ${names.of(id)}`}>
            <Table
              label={`Changes of who is on call for ${names.of(id)}`}
              rows={changes}
              columns={[
                { title: "From", cell: (it) => when(it.start_time) },
                { title: "Until", cell: (it) => when(it.end_time) },
                { title: "Layer", cell: ({ layer }) => layer },
                {
                  title: "Now",
                  cell: (it) => <People names={names} ids={it.account_user_ids_before} />,
                },
                {
                  title: "Then",
                  cell: (it) => <People names={names} ids={it.account_user_ids_after} />,
                },
              ]}
            />
          </Panel>
        ))}
    </>
  );
};
