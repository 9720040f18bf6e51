// People and roles: the members of the account, and the invitation of another.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { CreateAccountUser } from "../../features/people/account-users/parameters.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import {
  type DeclaredForm,
  declareForm,
  type FormState,
} from "../../kernel/console/declared-form.ts";
import { Button, CheckField, TextField } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { RecordList } from "../../kernel/console/record-list.tsx";
import { done, redisplayForm, statusAfter } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { fieldText, isTicked, textOf } from "../../kernel/console/values.ts";
import { readNames } from "../names.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { isAdmin, SETUP } from "../resource-pages.tsx";
import {
  Emails,
  Roles,
  roleNames,
  sentRoles,
  TEAMS,
  teamNames,
  type WithNames,
} from "./membership.tsx";

const NAME = "user_attributes.name";
const EMAIL = "user_attributes.emails_attributes";

/** Names the list of addresses in the errors of each: the form has one address. */
const withOneAddress = (refusal: Refusal | null): Refusal | null =>
  refusal && {
    ...refusal,
    errors: refusal.errors.map((error) =>
      error.field?.startsWith(EMAIL) ? { ...error, field: EMAIL } : error,
    ),
  };

const Person = ({ values, refusal }: FormState) => {
  const shared = { autocomplete: "off", refusal, required: true };
  return (
    <>
      <TextField
        {...shared}
        name="name"
        parameter={NAME}
        label="Name"
        value={fieldText(values, "name")}
      />
      <TextField
        {...shared}
        name="email"
        parameter={EMAIL}
        label="E-mail"
        type="email"
        value={fieldText(values, "email")}
        help="The first password or the invitation is sent to this address."
      />
    </>
  );
};

const Later = ({ values }: FormState) => (
  <CheckField
    name="later"
    label="Send the invitation later"
    help="The person is added now. Send the invitation later from their page."
    checked={isTicked(values, "later")}
  />
);

const INVITATION: DeclaredForm<WithNames> = declareForm(CreateAccountUser, [
  {
    draw: Person,
    parameters: [NAME, EMAIL],
    body: (form) => ({
      user_attributes: {
        name: textOf(form, "name"),
        emails_attributes: [{ email: textOf(form, "email").trim(), primary: true }],
      },
    }),
  },
  TEAMS,
  { draw: Roles, body: sentRoles },
  { draw: Later, body: (form) => ({ invite: !isTicked(form, "later") }) },
]);

async function list(visit: Visit, refused: Refusal | null = null): Promise<Reply> {
  const names = await readNames(visit.api);
  if (isRefusal(names)) return names;
  const body = (
    <>
      <Heading title="People and roles" lead="The members of this account." back={SETUP}>
        {isAdmin(visit) ? (
          <a class="button plain" href="/people/import">
            Invite many
          </a>
        ) : null}
      </Heading>
      <RecordList
        url={visit.url}
        label="People"
        initial="Name"
        empty={null}
        rows={names.people}
        columns={[
          {
            title: "Name",
            cell: (it) => <a href={`/people/${it.prefix_id}`}>{it.user.name}</a>,
            by: ({ user }) => user.name,
          },
          {
            title: "E-mail",
            cell: (it) => <Emails person={it} />,
            by: ({ user }) => user.emails.map(({ email }) => email).join(" "),
          },
          {
            title: "Roles",
            cell: (it) => [
              ...(it.state === "pending" ? [<Badge tone="warn">invited</Badge>] : []),
              ...roleNames(names, it).map((role) => <Badge tone="neutral">{role}</Badge>),
            ],
            by: (it) =>
              [...(it.state === "pending" ? ["invited"] : []), ...roleNames(names, it)].join(" "),
          },
          {
            title: "Teams",
            cell: (it) => teamNames(names, it),
            by: (it) => teamNames(names, it),
          },
        ]}
      />
      {isAdmin(visit) ? (
        <Panel title="Invite person" id="invite">
          <FieldsForm
            to="/people"
            session={visit.session}
            form={INVITATION}
            state={{ values: visit.form, refusal: withOneAddress(refused), names }}
          >
            <Button>Invite person</Button>
          </FieldsForm>
        </Panel>
      ) : null}
    </>
  );
  const status = statusAfter(refused);
  return { kind: "page", status, title: "People and roles", section: "configuration", body };
}

async function invite(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const invited = await api.post("/account_users", INVITATION.bodyOf(form));
  if (isRefusal(invited)) return redisplayForm(invited, (refusal) => list(visit, refusal));
  const name = textOf(form, "name");
  return isTicked(form, "later")
    ? done(`/people/${invited.prefix_id}`, `${name} added. The invitation has not been sent.`)
    : done("/people", `${name} invited by e-mail.`);
}

export const peoplePages: readonly ConsolePage[] = [
  page("/people", (visit) => list(visit)),
  action("/people", invite),
];
