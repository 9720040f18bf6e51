// The form of a record, the form of a new one, and their actions. A resource declares what differs.
import type { Child } from "hono/jsx";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import { changedParameters, NOTHING_CHANGED } from "../kernel/console/changed.ts";
import type { DeclaredForm } from "../kernel/console/declared-form.ts";
import {
  ActionButton,
  Button,
  FIELDS_FORM,
  Form,
  FormFaults,
  type FormState,
} from "../kernel/console/form.tsx";
import { FormFields } from "../kernel/console/form-fields.tsx";
import { sentence } from "../kernel/console/labels.ts";
import { Heading, Notice, Panel } from "../kernel/console/panel.tsx";
import { isPickerSearch } from "../kernel/console/picker-search.ts";
import { done, notDone, pageReply, type Reply, redisplayForm } from "../kernel/console/reply.ts";
import type { Values } from "../kernel/console/values.ts";
import type { Api, RecordCalls } from "./api-client.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "./page.ts";
import type { NamedRecord } from "./reads.ts";
import type { DryRunResult } from "./routing/dry-run.ts";

export type FormRecord = NamedRecord & { readonly warnings?: readonly string[] };

export type ShownForm<Kind, Data> = FormState & {
  readonly visit: Visit;
  /** Null on the page of a new record. */
  readonly record: Kind | null;
  readonly around: Data;
  readonly attempt: DryRunResult | null;
};

/** What the forms of a resource's records need. */
export type RecordForms<Kind extends FormRecord, Data> = {
  /** The path of its pages: `/routers`. */
  readonly path: string;
  readonly calls: (api: Api) => RecordCalls<Kind>;
  /** The page that lists the records. */
  readonly listedAt: { readonly to: string; readonly label: string };
  /** The plural. */
  readonly title: string;
  /** The singular, within a sentence: `router`. */
  readonly one: string;
  /** Reads what its pages need besides the records: names, other lists; more for a form. */
  readonly read: (api: Api, isForm: boolean, now: number) => Promise<Data | Refusal>;
  readonly form: DeclaredForm<ShownForm<Kind, Data>>;
  /** Replaces the form until something has been chosen. */
  readonly first?: (shown: ShownForm<Kind, Data>) => Child | null;
  /** The changed parameters of a submitted form; by default those that differ from the record's. */
  readonly changesOf?: (body: Values, record: Kind) => Values;
  /** The initial values of a new record. */
  readonly blank?: (visit: Visit, around: Data) => Values;
  readonly mayChange: (visit: Visit, record: Kind | null, around: Data) => boolean;
  readonly mayDelete: (visit: Visit, record: Kind, around: Data) => boolean;
  /**
   * The content of the page of an existing record, if it is more than its form. What it reads is read
   * together with the record.
   */
  readonly page?: (visit: Visit) => Promise<RecordContent<Kind, Data> | Refusal>;
  /** Above the form of an existing record. */
  readonly above?: (shown: ShownForm<Kind, Data>) => Child;
  /**
   * Runs the form without saving it, from a second button of the same form (`console/routing/dry-run-panel.tsx`).
   *
   * @param body the record as the form would save it; null to use the stored one, for a viewer who
   * may not change it
   */
  readonly attempt?: (
    visit: Visit,
    record: Kind | null,
    body: Values | null,
  ) => Promise<DryRunResult>;
  /** Beside the form, or below it on a phone. */
  readonly beside?: (shown: ShownForm<Kind, Data>) => Child;
  /**
   * Like `beside`, if it has to be read first; read together with the record. It stands beside `above` too,
   * and on a phone between that and the form.
   */
  readonly besideRead?: (visit: Visit) => Promise<Child>;
  /** The response after creating a record, if it is not the redirect to its page. */
  readonly afterCreate?: (visit: Visit, made: Kind) => Promise<Reply | null>;
  /** Before a write: a page that asks for a confirmation; null: there is nothing to ask. */
  readonly ask?: (visit: Visit, write: Write) => Promise<Reply | null>;
  /** The question before a deletion, if `ask` asks none. */
  readonly deleting?: string;
  /** After a write: the response to it, if it is not the redirect to the record's page. */
  readonly after?: (text: string, record: Kind) => Reply;
};

/** Draws the content of a record's page around its form. */
export type RecordContent<Kind, Data> = (
  shown: ShownForm<Kind, Data> & { readonly record: Kind },
  form: Child,
) => Child;

/** A write that a form asks for; `id` is null for a new record, `body` for a deletion. */
export type Write = { readonly id: string | null; readonly body: Values | null };

const Warnings = ({ record }: { readonly record: FormRecord | null }) =>
  record?.warnings?.length ? (
    <Notice tone="warn" title="Check the templates">
      {record.warnings.map((warning) => (
        <p>{warning}</p>
      ))}
    </Notice>
  ) : null;

export function recordPages<Kind extends FormRecord, Data>(resource: RecordForms<Kind, Data>) {
  const { path, listedAt, title, one, form, mayChange: may } = resource;

  type FormPage = Omit<ShownForm<Kind, Data>, "values">;

  /** Renders the page of a record or of a new one; `read` is the result of `besideRead`. */
  function renderForm(
    formPage: FormPage,
    read: Child = null,
    drawContent: RecordContent<Kind, Data> | null = null,
  ): Reply {
    const { visit, record, around, refusal, attempt } = formPage;
    const mayEdit = may(visit, record, around);
    const isSubmitted = refusal !== null || (attempt !== null && mayEdit);
    const values = isSubmitted ? visit.form : (record ?? resource.blank?.(visit, around) ?? {});
    const shown = { ...formPage, values };
    const beside = resource.beside?.(shown);
    const name = record?.name ?? `New ${one}`;
    const heading = <Heading title={name} back={listedAt} />;
    const first = resource.first?.(shown);
    const above = record ? resource.above?.(shown) : null;
    if (first) return pageReply(`New ${one}`, [heading, first]);
    const fields = (
      <div class="stack">
        <Panel>
          <Form to={record ? pathOf(path, visit) : path} kind="fields" id={FIELDS_FORM}>
            <FormFaults refusal={refusal} fields={form.parameters} />
            <fieldset class="all-fields" disabled={!mayEdit}>
              <FormFields form={form} state={shown} />
            </fieldset>
            {mayEdit ? <Button>{record ? "Save changes" : `Create ${one}`}</Button> : null}
          </Form>
        </Panel>
        {record && resource.mayDelete(visit, record, around) ? (
          <ActionButton
            to={`${pathOf(path, visit)}/delete`}
            label={`Delete ${one}`}
            tone="danger"
            confirm={resource.deleting}
          />
        ) : null}
      </div>
    );
    const content = record && drawContent ? drawContent({ ...shown, record }, fields) : null;
    return pageReply(
      name,
      <>
        {heading}
        {isSubmitted ? null : <Warnings record={record} />}
        {read ? null : above}
        {content ?? (
          <div class={read ? "columns even read" : beside ? "columns even" : "narrow"}>
            {read ? (
              <>
                <div>{above}</div>
                <div>{read}</div>
              </>
            ) : null}
            {fields}
            {beside ? <div>{beside}</div> : null}
          </div>
        )}
      </>,
      refusal ?? attempt?.refusal ?? null,
    );
  }

  async function showNew(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
    const around = await resource.read(visit.api, true, visit.now);
    if (isRefusal(around)) return around;
    const mayEdit = refusal !== null || may(visit, null, around);
    if (mayEdit) return renderForm({ visit, record: null, refusal, around, attempt: null });
    return refuse("forbidden", `only an admin can create ${title.toLowerCase()}`);
  }

  async function showOne(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
    const [record, around, beside, content] = await Promise.all([
      resource.calls(visit.api).read(idOf(visit)),
      resource.read(visit.api, true, visit.now),
      resource.besideRead?.(visit),
      resource.page?.(visit),
    ]);
    if (isRefusal(record)) return record;
    if (isRefusal(around)) return around;
    if (isRefusal(content)) return content;
    return renderForm({ visit, record, refusal, around, attempt: null }, beside, content);
  }

  async function create(visit: Visit): Promise<Reply> {
    const body = form.bodyOf(visit.form);
    const question = await resource.ask?.(visit, { id: null, body });
    if (question) return question;
    const record = await resource.calls(visit.api).create(body);
    if (isRefusal(record)) return redisplayForm(record, (refusal) => showNew(visit, refusal));
    const response = await resource.afterCreate?.(visit, record);
    if (response) return response;
    const text = sentence(`${one} created`);
    return resource.after?.(text, record) ?? done(`${path}/${record.prefix_id}`, text);
  }

  async function update(visit: Visit): Promise<Reply> {
    const record = await resource.calls(visit.api).read(idOf(visit));
    if (isRefusal(record)) return record;
    const body = (resource.changesOf ?? changedParameters)(form.bodyOf(visit.form), record);
    if (Object.keys(body).length === 0 && !isPickerSearch(visit.form))
      return done(pathOf(path, visit), NOTHING_CHANGED);
    const question = await resource.ask?.(visit, { id: idOf(visit), body });
    if (question) return question;
    const changed = await resource.calls(visit.api).update(idOf(visit), body);
    if (isRefusal(changed)) return redisplayForm(changed, (refusal) => showOne(visit, refusal));
    const text = "Changes saved.";
    return resource.after?.(text, changed) ?? done(pathOf(path, visit), text);
  }

  async function remove(visit: Visit): Promise<Reply> {
    const question = await resource.ask?.(visit, { id: idOf(visit), body: null });
    if (question) return question;
    const removed = await resource.calls(visit.api).remove(idOf(visit));
    if (isRefusal(removed)) return notDone(pathOf(path, visit), removed);
    return done(listedAt.to, sentence(`${one} deleted`));
  }

  async function runDryRun(visit: Visit): Promise<Reply> {
    const isNew = visit.params.id === "new";
    const record = isNew ? null : await resource.calls(visit.api).read(idOf(visit));
    if (isRefusal(record)) return record;
    const around = await resource.read(visit.api, true, visit.now);
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
    page(`${path}/:id/try`, async (visit) => ({ kind: "goto", to: pathOf(path, visit) })),
  ];

  const pages: readonly ConsolePage[] = [
    page(`${path}/new`, (visit) => showNew(visit)),
    action(path, create),
    page(`${path}/:id`, (visit) => showOne(visit)),
    action(`${path}/:id`, update),
    action(`${path}/:id/delete`, remove),
    ...(resource.attempt ? dryRunPages : []),
  ];
  return pages;
}
