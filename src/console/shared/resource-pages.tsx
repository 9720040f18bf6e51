// The pages of every configuration resource: the list, the form of a record, the form of a new one,
// and their actions. A resource declares what differs: its columns and its form.
import type { Child } from "hono/jsx";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { Api, RecordCalls } from "../api-client.ts";
import type { DeclaredForm, FormState } from "../forms/declared-form.ts";
import { FormFields } from "../forms/form-fields.tsx";
import { sentence } from "../labels.ts";
import {
  action,
  type ConsolePage,
  idOf,
  page,
  type Reply,
  type Section,
  type Visit,
} from "../page.ts";
import { RecordList } from "../parts/lists/record-list.tsx";
import { ActionButton, Button, FIELDS_FORM, Form, FormFaults } from "../parts/shared/form.tsx";
import { Empty, Heading, Notice, Panel } from "../parts/shared/panel.tsx";
import type { Column } from "../parts/shared/table.tsx";
import { isPickerSearch } from "../pickers/picker-search.ts";
import type { Attempt } from "../routing/dry-run.ts";
import { changedParameters, NOTHING_CHANGED } from "./changed.ts";
import type { Names } from "./names.ts";
import { done, notDone, redisplayForm, statusAfter } from "./replies.ts";
import type { Values } from "./values.ts";

type Named = {
  readonly id: string;
  readonly prefix_id: string;
  readonly name: string;
  readonly warnings?: readonly string[];
};

export type Shown<Kind, Around> = FormState & {
  readonly visit: Visit;
  /** Null on the page of a new record. */
  readonly record: Kind | null;
  readonly around: Around;
  /** The result of a dry run, if there was one. */
  readonly attempt: Attempt | null;
};

/** The first thing to do, with its link. */
export type First = { readonly text: string; readonly to: string; readonly label: string };

export type Resource<Kind extends Named, Around> = {
  /** The path of its pages and of the API: `/routers`. */
  readonly path: string;
  /** The API operations that its pages call. */
  readonly calls: (api: Api) => RecordCalls<Kind>;
  readonly title: string;
  /** The singular, within a sentence: `router`. */
  readonly one: string;
  readonly lead: string;
  readonly section?: Section;
  /** Reads what its pages need besides the records: names, other lists; more for a form. */
  readonly read: (api: Api, isForm: boolean) => Promise<Around | Refusal>;
  readonly columns: (around: Around, visit: Visit) => readonly Column<Kind>[];
  /** The text of the empty list: what a record is good for. */
  readonly empty: string;
  /** What has to exist before the first record is useful; null if it does. */
  readonly before?: (around: Around) => First | null;
  readonly form: DeclaredForm<Shown<Kind, Around>>;
  /** Replaces the form until something has been chosen. */
  readonly first?: (shown: Shown<Kind, Around>) => Child | null;
  /** The changed parameters of a submitted form; by default those that differ from the record's. */
  readonly changesOf?: (body: Values, record: Kind) => Values;
  /** The initial values of a new record. */
  readonly blank?: (visit: Visit, around: Around) => Values;
  readonly mayChange?: (visit: Visit, record: Kind | null, around: Around) => boolean;
  /** By default admins only. */
  readonly mayDelete?: (visit: Visit, record: Kind) => boolean;
  /** Above the form of an existing record. */
  readonly above?: (shown: Shown<Kind, Around>) => Child;
  /**
   * Runs the form without saving it, from a second button of the same form (`parts/dry-run.tsx`).
   *
   * @param body the record as the form would save it; null to use the stored one, for a viewer who
   * may not change it
   */
  readonly attempt?: (visit: Visit, record: Kind | null, body: Values | null) => Promise<Attempt>;
  /** Beside the form, or below it on a phone. */
  readonly beside?: (shown: Shown<Kind, Around>) => Child;
  /** Like `beside`, if it has to be read first; read together with the record. */
  readonly besideRead?: (visit: Visit) => Promise<Child>;
  /** The response after creating a record, if it is not the redirect to its page. */
  readonly afterCreate?: (visit: Visit, made: Kind) => Promise<Reply | null>;
  /** Before a write: a page that asks for a confirmation; null: there is nothing to ask. */
  readonly ask?: (visit: Visit, write: Write) => Promise<Reply | null>;
  readonly deleting: string;
};

/** A write that a form asks for; `id` is null for a new record, `body` for a deletion. */
export type Write = { readonly id: string | null; readonly body: Values | null };

/** The back link to the setup page. */
export const SETUP = { to: "/configuration", label: "Setup" } as const;

const AN_ADMIN = "Only an admin can create one.";

/** Requires a team first, because alerts need a destination. */
export const teamFirst = ({ names }: { readonly names: Names }): First | null =>
  names.teams.length > 0
    ? null
    : {
        text: "Create a team first: alerts need a destination.",
        to: "/teams/new",
        label: "Create team",
      };

export const isAdmin = ({ session }: Visit): boolean => session.actor.roles.admin;

/** Warnings about a saved record that probably does not work as intended. */
const Warnings = ({ record }: { readonly record: Named | null }) =>
  record?.warnings?.length ? (
    <Notice tone="warn" title="Check the templates">
      {record.warnings.map((warning) => (
        <p>{warning}</p>
      ))}
    </Notice>
  ) : null;

export function resourcePages<Kind extends Named, Around>(resource: Resource<Kind, Around>) {
  const { path, title, one, form, section = "configuration" } = resource;
  const may = resource.mayChange ?? isAdmin;
  const pathOf = ({ params }: Visit) => `${path}/${encodeURIComponent(params.id ?? "")}`;

  async function list(visit: Visit): Promise<Reply> {
    const [records, around] = await Promise.all([
      resource.calls(visit.api).list(),
      resource.read(visit.api, false),
    ]);
    if (isRefusal(records)) return records;
    if (isRefusal(around)) return around;
    const nameColumn: Column<Kind> = {
      title: "Name",
      cell: (it) => <a href={`${path}/${it.prefix_id}`}>{it.name}</a>,
      by: ({ name }) => name,
    };
    const mayCreate = may(visit, null, around);
    const createLink = { text: "", to: `${path}/new`, label: `Create ${one}` };
    const first = resource.before?.(around) ?? createLink;
    const body = (
      <>
        <Heading title={title} lead={resource.lead} back={SETUP}>
          {mayCreate && records.length > 0 ? (
            <a class="button primary" href={`${path}/new`}>
              Create {one}
            </a>
          ) : null}
        </Heading>
        <RecordList
          url={visit.url}
          label={title}
          initial={nameColumn.title}
          rows={records}
          columns={[nameColumn, ...resource.columns(around, visit)]}
          empty={
            <Empty title={`No ${title.toLowerCase()} yet`} {...(mayCreate && { next: first })}>
              {resource.empty} {mayCreate ? first.text : AN_ADMIN}
            </Empty>
          }
        />
      </>
    );
    return { kind: "page", title, section, body };
  }

  type FormPage = Omit<Shown<Kind, Around>, "values">;

  /** Renders the page of a record or of a new one; `read` is the result of `besideRead`. */
  function renderForm(formPage: FormPage, read: Child = null): Reply {
    const { visit, record, around, refusal, attempt } = formPage;
    const mayEdit = may(visit, record, around);
    const isSubmitted = refusal !== null || (attempt !== null && mayEdit);
    const values = isSubmitted ? visit.form : (record ?? resource.blank?.(visit, around) ?? {});
    const shown = { ...formPage, values };
    const beside = read ?? resource.beside?.(shown);
    const name = record?.name ?? `New ${one}`;
    const heading = <Heading title={name} back={{ to: path, label: title }} />;
    const first = resource.first?.(shown);
    if (first) return { kind: "page", title: `New ${one}`, section, body: [heading, first] };
    return {
      kind: "page",
      status: statusAfter(refusal ?? attempt?.refusal ?? null),
      title: name,
      section,
      body: (
        <>
          {heading}
          {isSubmitted ? null : <Warnings record={record} />}
          {record && resource.above ? resource.above(shown) : null}
          <div class={beside ? "columns even" : "narrow"}>
            <div class="stack">
              <Panel>
                <Form
                  to={record ? pathOf(visit) : path}
                  session={visit.session}
                  kind="fields"
                  id={FIELDS_FORM}
                >
                  <FormFaults refusal={refusal} fields={form.parameters} />
                  <fieldset class="all-fields" disabled={!mayEdit}>
                    <FormFields form={form} state={shown} />
                  </fieldset>
                  {mayEdit ? <Button>{record ? "Save changes" : `Create ${one}`}</Button> : null}
                </Form>
              </Panel>
              {record && (resource.mayDelete ?? isAdmin)(visit, record) ? (
                <ActionButton
                  to={`${pathOf(visit)}/delete`}
                  session={visit.session}
                  label={`Delete ${one}`}
                  tone="danger"
                  confirm={resource.deleting}
                />
              ) : null}
            </div>
            {beside ? <div>{beside}</div> : null}
          </div>
        </>
      ),
    };
  }

  async function showNew(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
    const around = await resource.read(visit.api, true);
    if (isRefusal(around)) return around;
    const mayEdit = refusal !== null || may(visit, null, around);
    if (mayEdit) return renderForm({ visit, record: null, refusal, around, attempt: null });
    return refuse("forbidden", `only an admin can create ${title.toLowerCase()}`);
  }

  async function showOne(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
    const [record, around, beside] = await Promise.all([
      resource.calls(visit.api).read(idOf(visit)),
      resource.read(visit.api, true),
      resource.besideRead?.(visit),
    ]);
    if (isRefusal(record)) return record;
    if (isRefusal(around)) return around;
    return renderForm({ visit, record, refusal, around, attempt: null }, beside);
  }

  async function create(visit: Visit): Promise<Reply> {
    const body = form.bodyOf(visit.form);
    const question = await resource.ask?.(visit, { id: null, body });
    if (question) return question;
    const record = await resource.calls(visit.api).create(body);
    if (isRefusal(record)) return redisplayForm(record, (refusal) => showNew(visit, refusal));
    const response = await resource.afterCreate?.(visit, record);
    if (response) return response;
    return done(`${path}/${record.prefix_id}`, sentence(`${one} created`));
  }

  async function update(visit: Visit): Promise<Reply> {
    const record = await resource.calls(visit.api).read(idOf(visit));
    if (isRefusal(record)) return record;
    const body = (resource.changesOf ?? changedParameters)(form.bodyOf(visit.form), record);
    if (Object.keys(body).length === 0 && !isPickerSearch(visit.form))
      return done(pathOf(visit), NOTHING_CHANGED);
    const question = await resource.ask?.(visit, { id: idOf(visit), body });
    if (question) return question;
    const changed = await resource.calls(visit.api).update(idOf(visit), body);
    if (isRefusal(changed)) return redisplayForm(changed, (refusal) => showOne(visit, refusal));
    return done(pathOf(visit), "Changes saved.");
  }

  async function remove(visit: Visit): Promise<Reply> {
    const question = await resource.ask?.(visit, { id: idOf(visit), body: null });
    if (question) return question;
    const removed = await resource.calls(visit.api).remove(idOf(visit));
    if (isRefusal(removed)) return notDone(pathOf(visit), removed);
    return done(path, sentence(`${one} deleted`));
  }

  async function runDryRun(visit: Visit): Promise<Reply> {
    const isNew = visit.params.id === "new";
    const record = isNew ? null : await resource.calls(visit.api).read(idOf(visit));
    if (isRefusal(record)) return record;
    const around = await resource.read(visit.api, true);
    if (isRefusal(around)) return around;
    const mayEdit = may(visit, record, around);
    if (isNew && !mayEdit)
      return refuse("forbidden", `only an admin can create ${title.toLowerCase()}`);
    const body = mayEdit ? form.bodyOf(visit.form) : null;
    const attempt = (await resource.attempt?.(visit, record, body)) ?? null;
    return renderForm({ visit, record, around, refusal: attempt?.ofForm ?? null, attempt });
  }

  const dryRunPages: readonly ConsolePage[] = [
    action(`${path}/:id/try`, runDryRun),
    // A GET of the dry run's path, such as a reload from history: there is no form to run.
    page(`${path}/:id/try`, async (visit) => ({ kind: "goto", to: pathOf(visit) })),
  ];

  const pages: readonly ConsolePage[] = [
    page(path, list),
    page(`${path}/new`, (visit) => showNew(visit)),
    action(path, create),
    page(`${path}/:id`, (visit) => showOne(visit)),
    action(`${path}/:id`, update),
    action(`${path}/:id/delete`, remove),
    ...(resource.attempt ? dryRunPages : []),
  ];
  return pages;
}
