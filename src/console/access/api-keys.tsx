// API keys: created, shown once, revoked. Only the response to the form shows a new key.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import type { ApiKeyWithKey } from "../../features/access/api-keys/contract.ts";
import { CreateApiKey } from "../../features/access/api-keys/parameters.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { ActionButton, Button } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { CopyField, Empty, Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { RecordList } from "../../kernel/console/record-list.tsx";
import { pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import { peopleChoices } from "../choices.ts";
import { action, type ConsolePage, deletion, page, type Visit } from "../page.ts";
import type { FormWithNames } from "../people/membership.tsx";
import { allOf, readNames } from "../reads.ts";
import { isAdmin, SETUP } from "../resource-pages.tsx";

const NAMED = [
  { name: "name", label: "Name", required: true },
  { name: "read_only", label: "Read-only" },
] as const;

const OWN = declareForm(CreateApiKey, NAMED);

/** Admins create keys for others, too. */
const ANYBODYS: DeclaredForm<FormWithNames> = declareForm(CreateApiKey, [
  ...NAMED,
  {
    name: "account_user_id",
    label: "Owner",
    choices: ({ names }) => peopleChoices(names),
    source: "people",
    help: "The key has the permissions of its owner.",
  },
]);

const formOf = (visit: Visit): DeclaredForm<FormWithNames> => (isAdmin(visit) ? ANYBODYS : OWN);

async function show(
  visit: Visit,
  refusal: Refusal | null = null,
  made: ApiKeyWithKey | null = null,
): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(api.every("/api_keys"), readNames(api));
  if (isRefusal(read)) return read;
  const [keys, names] = read;
  const initial = { account_user_id: session.actor.accountUserId };
  const body = (
    <>
      <Heading
        title="API keys"
        back={SETUP}
        lead={
          session.actor.roles.admin
            ? "The keys of all members of this account. A key has the permissions of its owner."
            : "Your keys. A key has your permissions."
        }
      />
      {made ? (
        <Notice tone="good" title="Copy the key now. It is shown only once.">
          <CopyField label="New API key" value={made.key} />
        </Notice>
      ) : null}
      <RecordList
        label="API keys"
        rows={keys}
        columns={[
          { title: "Name", cell: (it) => it.name || "unnamed", by: ({ name }) => name ?? "" },
          { title: "Owner", by: (it) => names.of(it.account_user_id) },
          { title: "Access", by: (it) => (it.read_only ? "read-only" : "read and write") },
          {
            title: "Created",
            cell: (it) => <Moment at={it.created_at} />,
            by: (it) => Date.parse(it.created_at),
          },
          {
            title: "Revoke",
            kind: "actions",
            cell: (it) => (
              <ActionButton
                to={`/api_keys/${it.prefix_id}/revoke`}
                label="Revoke key"
                tone="danger"
                confirm="Revoke this API key? Requests that use it are refused."
              />
            ),
          },
        ]}
        empty={
          <Empty title="No API keys yet">Create one key for each tool that uses the API.</Empty>
        }
      />
      <Panel title="Create API key" id="new">
        <FieldsForm
          to="/api_keys"
          form={formOf(visit)}
          state={{ values: made || !visit.form.once ? initial : visit.form, refusal, names }}
        >
          <Button>Create API key</Button>
        </FieldsForm>
      </Panel>
    </>
  );
  return pageReply("API keys", body, refusal);
}

async function create(visit: Visit): Promise<Reply> {
  const created = await visit.api.post("/api_keys", formOf(visit).bodyOf(visit.form));
  if (isRefusal(created)) return redisplayForm(created, (refusal) => show(visit, refusal));
  return show(visit, null, created);
}

export const apiKeysPages: readonly ConsolePage[] = [
  page("/api_keys", (visit) => show(visit)),
  action("/api_keys", create),
  deletion("/api_keys/:id/revoke", "/api_keys/:id", "API key revoked.", "/api_keys"),
];
