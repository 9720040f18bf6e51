// The account's configuration as a file: download it; paste or choose one, see what it changes and
// who is paged differently, then apply it.

import { createHash } from "node:crypto";
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { ConfigurationImport } from "../../features/operations/configuration/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { Button, Form, TextArea } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { OnCallChanges } from "../oncall/events/confirmation.tsx";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { type Names, readNames, type WithNames } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";

type Change = ConfigurationImport["changes"][number];
type Field = Change["fields"][number];

const KINDS: Readonly<Record<Change["kind"], string>> = {
  notification_rule: "Notification rule",
  account_user: "Person",
  schedule: "Schedule",
  escalation_policy: "Escalation policy",
  team: "Team",
  event: "On-call series",
  company_holiday: "Company holiday",
  absence_calendar: "Absence calendar",
  absence: "Absence",
  router: "Router",
  integration: "Integration",
  maintenance_window: "Maintenance window",
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

const Fields = ({ change: { action, fields, note } }: { readonly change: Change }) =>
  action === "create" ? (
    <>
      <span class="soft">{fields.map(({ field }) => words(field)).join(", ")}</span>
      {note === null ? null : <div>{note}</div>}
    </>
  ) : (
    fields.map((it) => <FieldLine {...it} />)
  );

/** The records that an import creates and changes. */
const ChangedRecords = ({ changes }: Pick<ConfigurationImport, "changes">) => (
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

type PagedDifferentlyProps = WithNames<{ teams: ConfigurationImport["on_call"] }>;

/** Who is paged differently, by teams. */
const PagedDifferently = ({ teams, names }: PagedDifferentlyProps) => (
  <>
    {teams
      .filter(({ changes }) => changes.length > 0)
      .map(({ team_id: id, changes }) => (
        <Panel title={`Paged for ${names.of(id)}`}>
          <OnCallChanges
            label={`Changes of who is paged for ${names.of(id)}`}
            {...{ changes, names }}
          />
        </Panel>
      ))}
  </>
);

const PATH = "/configuration/file";
const FILE = "configuration.yaml";
const TITLE = "Configuration file";
const FORBIDDEN = { kind: "goto", to: "/configuration" } as const;

type FileState = {
  readonly refusal?: Refusal | null;
  readonly preview?: { readonly result: ConfigurationImport; readonly names: Names };
};

/** All faults stand at the text, each with its place in it. */
const atText = (refusal: Refusal): Refusal => ({
  ...refusal,
  errors: refusal.errors.map(({ field, message }) => ({
    field: "configuration",
    message: field === "configuration" ? message : `configuration: ${message}`,
  })),
});

/** Identifies what was shown: a confirmation is valid only for this text and these changes. */
function digestOf(file: string, { changes }: ConfigurationImport): string {
  const shown = changes.map(({ path, key, action, fields }) => [path, key, action, fields]);
  return createHash("sha256")
    .update(JSON.stringify([file, shown]))
    .digest("hex");
}

async function show(visit: Visit, { refusal = null, preview }: FileState = {}): Promise<Reply> {
  if (!isAdmin(visit)) return FORBIDDEN;
  const { form } = visit;
  const changes = preview?.result.changes ?? [];
  const body = (
    <div class="narrow">
      <Heading
        title={TITLE}
        lead="People, notification rules, schedules with their shifts, absences, escalation policies, teams, routers and integrations."
        back={{ to: "/configuration", label: "Setup" }}
      >
        <a class="button" href={`/configuration/${FILE}`} download>
          Download
        </a>
      </Heading>
      {preview ? (
        <>
          <Panel title="Preview" id="preview">
            <ChangedRecords changes={changes} />
          </Panel>
          <PagedDifferently teams={preview.result.on_call} names={preview.names} />
        </>
      ) : null}
      <Panel title="Import" id="import">
        <Form to={PATH} kind="fields">
          <TextArea
            name="configuration"
            label="File"
            rows={16}
            code
            required
            value={textOf(form, "configuration")}
            help={
              <>
                The text of a file, or a part of it. What it does not mention stays.{" "}
                <label data-file-for="field-configuration" hidden>
                  Choose a file: <input type="file" accept=".yaml,.yml,application/yaml" />
                </label>
              </>
            }
            refusal={refusal && atText(refusal)}
          />
          {preview ? (
            <input
              type="hidden"
              name="previewed"
              value={digestOf(textOf(form, "configuration"), preview.result)}
              autocomplete="off"
            />
          ) : null}
          <div class="buttons">
            {changes.length > 0 ? (
              <Button
                name="confirmed"
                value="yes"
              >{`Apply ${counted(changes.length, "change")}`}</Button>
            ) : null}
            <Button tone={changes.length > 0 ? "plain" : "primary"} name="confirmed" value="">
              Preview changes
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  );
  return pageReply(TITLE, body, refusal);
}

async function submit(visit: Visit): Promise<Reply> {
  if (!isAdmin(visit)) return FORBIDDEN;
  const { api, form } = visit;
  const text = textOf(form, "configuration");
  const result = await api.preview("POST", "/configuration", { configuration: text });
  if (isRefusal(result)) return redisplayForm(result, (refusal) => show(visit, { refusal }));
  const isConfirmed = textOf(form, "confirmed") === "yes";
  if (isConfirmed && textOf(form, "previewed") === digestOf(text, result)) {
    const applied = await api.post("/configuration", { configuration: text });
    if (isRefusal(applied)) return redisplayForm(applied, (refusal) => show(visit, { refusal }));
    return done(
      "/configuration",
      `Configuration imported: ${counted(applied.changes.length, "change")}.`,
    );
  }
  const names = await readNames(api);
  if (isRefusal(names)) return names;
  return show(visit, { preview: { result, names: withNew(names, result) } });
}

/** The names, with those of records that the file adds. */
function withNew(names: Names, { changes }: ConfigurationImport): Names {
  const added = new Map(
    changes
      .filter(({ action }) => action === "create")
      .map(({ record_id: id, key, fields }) => [
        id,
        String(fields.find(({ field }) => field === "name")?.after ?? key),
      ]),
  );
  return { ...names, of: (id) => added.get(id ?? "") ?? names.of(id) };
}

async function download({ api }: Visit): Promise<Reply> {
  const text = await api.get("/configuration");
  if (isRefusal(text)) return text;
  return { kind: "file", name: FILE, type: "application/yaml; charset=utf-8", text };
}

export const configurationFilePages: readonly ConsolePage[] = [
  page(PATH, (visit) => show(visit)),
  action(PATH, submit),
  page(`/configuration/${FILE}`, download),
];
