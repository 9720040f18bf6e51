// The account's configuration as a file: download it; paste or choose one, see what it changes and
// who is paged differently, then apply it.
import { createHash } from "node:crypto";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { ConfigurationImport } from "../../features/operations/configuration/contract.ts";
import { Button, Form, TextArea } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, redisplayForm, statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { isAdmin } from "../resource-pages.tsx";
import { ChangedRecords, PagedDifferently } from "./configuration-changes.tsx";

const PATH = "/configuration/file";
const FILE = "configuration.yaml";
const TITLE = "Configuration file";
const FORBIDDEN = { kind: "goto", to: "/configuration" } as const;

type FileState = {
  readonly refusal?: Refusal | null;
  readonly preview?: { readonly result: ConfigurationImport; readonly names: Names };
};

const countText = (count: number) => (count === 1 ? "1 change" : `${count} changes`);

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
  const { session, form, now } = visit;
  const changes = preview?.result.changes ?? [];
  const body = (
    <div class="narrow">
      <Heading
        title={TITLE}
        lead="People, notification rules, schedules without their shifts, escalation policies, teams and routers."
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
          <PagedDifferently
            teams={preview.result.on_call}
            names={preview.names}
            clock={{ zone: session.timeZone, now }}
          />
        </>
      ) : null}
      <Panel title="Import" id="import">
        <Form to={PATH} session={session} kind="fields">
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
              <Button name="confirmed" value="yes">{`Apply ${countText(changes.length)}`}</Button>
            ) : null}
            <Button tone={changes.length > 0 ? "plain" : "primary"} name="confirmed" value="">
              Preview changes
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: TITLE, section: "configuration", body };
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
    return done("/configuration", `Configuration imported: ${countText(applied.changes.length)}.`);
  }
  const names = await readNames(api);
  return isRefusal(names) ? names : show(visit, { preview: { result, names } });
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
