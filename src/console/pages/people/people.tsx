// People and roles: the members of the account, their roles and teams, invitations and removal.
import type { AccountUser } from "../../../contract/people/account-user.ts";
import {
  CreateAccountUser,
  UpdateAccountUser,
} from "../../../contract/people/account-user-parameters.ts";
import type { NotificationRule } from "../../../contract/routing/notification-rule.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { choicesOf } from "../../forms/choices.ts";
import { type DeclaredForm, declareForm, type FormState } from "../../forms/declared-form.ts";
import { FieldsForm } from "../../forms/form-fields.tsx";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../page.ts";
import { Badge } from "../../parts/shared/badge.tsx";
import { ActionButton, Button, CheckField, TextField } from "../../parts/shared/form.tsx";
import { Facts, Heading, Panel } from "../../parts/shared/panel.tsx";
import { Table } from "../../parts/shared/table.tsx";
import { allOf } from "../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../shared/changed.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { askAgain, done, notDone, statusAfter } from "../../shared/replies.ts";
import { isAdmin, SETUP } from "../../shared/resource-pages.tsx";
import { fieldText, isTicked, textOf, type Values } from "../../shared/values.ts";

const ROLES = [
  { name: "admin", label: "Admin", help: "Changes the account's configuration." },
  { name: "billing", label: "Billing", help: "Manages billing." },
  { name: "broadcaster", label: "Broadcaster", help: "Sends broadcasts." },
  {
    name: "communicator",
    label: "Communicator",
    help: "Communicates with people outside the account.",
  },
] as const;

const rolesOf = (person: AccountUser) => ROLES.filter(({ name }) => person.roles[name]);

const teamsOf = (names: Names, person: AccountUser) =>
  names.teams.filter((team) => team.member_account_user_ids.includes(person.id));

const teamNames = (names: Names, person: AccountUser) =>
  teamsOf(names, person)
    .map(({ name }) => name)
    .join(", ");

const pathOf = ({ params }: Visit) => `/people/${encodeURIComponent(params.id ?? "")}`;

/** A person's email addresses; unverified ones have a badge. */
const Emails = ({ person }: { readonly person: AccountUser }) => (
  <>
    {person.user.emails.map(({ id, email, verified }) => (
      <div>
        {email}
        {verified || id === null ? null : (
          <>
            {" "}
            <Badge tone="warn">not verified</Badge>
          </>
        )}
      </div>
    ))}
  </>
);

const Roles = ({ values }: FormState) => (
  <fieldset class="group">
    <legend>Roles</legend>
    {ROLES.map(({ name, label, help }) => (
      <CheckField
        name={`role_${name}`}
        label={label}
        help={help}
        checked={isTicked(values, `role_${name}`)}
      />
    ))}
  </fieldset>
);

const sentRoles = (form: Values) => ({
  roles: Object.fromEntries(ROLES.map(({ name }) => [name, isTicked(form, `role_${name}`)])),
});

type WithNames = FormState & { readonly names: Names };

const TEAMS = {
  name: "member_team_ids",
  label: "Teams",
  choices: ({ names }: WithNames) => choicesOf(names.teams),
} as const;

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
      <Heading title="People and roles" lead="The members of this account." back={SETUP} />
      <Table
        label="People"
        rows={names.people}
        columns={[
          {
            title: "Name",
            cell: (it) => <a href={`/people/${it.prefix_id}`}>{it.user.name}</a>,
          },
          { title: "E-mail", cell: (it) => <Emails person={it} /> },
          {
            title: "Roles",
            cell: (it) =>
              it.state === "pending" ? (
                <Badge tone="warn">invited</Badge>
              ) : (
                rolesOf(it).map(({ label }) => <Badge tone="neutral">{label}</Badge>)
              ),
          },
          {
            title: "Teams",
            cell: (it) => teamNames(names, it),
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
  if (isRefusal(invited)) return askAgain(invited, (refusal) => list(visit, refusal));
  const name = textOf(form, "name");
  return isTicked(form, "later")
    ? done(`/people/${invited.prefix_id}`, `${name} added. The invitation has not been sent.`)
    : done("/people", `${name} invited by e-mail.`);
}

async function sendInvitation(visit: Visit): Promise<Reply> {
  const sent = await visit.api.post("/account_users/:id/invite", { id: idOf(visit) });
  return isRefusal(sent) ? notDone(pathOf(visit), sent) : done(pathOf(visit), "Invitation sent.");
}

type Membership = WithNames & { readonly rules: readonly NotificationRule[] };

const MEMBERSHIP: DeclaredForm<Membership> = declareForm(UpdateAccountUser, [
  { draw: Roles, body: sentRoles },
  TEAMS,
  {
    name: "notification_rule_id",
    label: "Notification rule",
    choices: ({ rules }) => [{ value: "", label: "none (own settings)" }, ...choicesOf(rules)],
  },
]);

/** A member as the values of the form. */
const membershipOf = (names: Names, person: AccountUser): Values => ({
  ...person,
  ...Object.fromEntries(ROLES.map(({ name }) => [`role_${name}`, person.roles[name]])),
  member_team_ids: teamsOf(names, person).map(({ id }) => id),
});

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    api.get("/account_users/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/notification_rules"),
  );
  if (isRefusal(read)) return read;
  const [person, names, rules] = read;
  const { user } = person;
  const body = (
    <div class="narrow">
      <Heading title={user.name} back={{ to: "/people", label: "People and roles" }} />
      <Panel>
        <Facts
          facts={[
            ["E-mail", <Emails person={person} />],
            ["Phone", user.phones.map(({ phone }) => phone).join(", ")],
            ["Time zone", user.time_zone],
            [
              "Roles",
              rolesOf(person)
                .map(({ label }) => label)
                .join(", ") || "none",
            ],
            ["Teams", teamNames(names, person)],
          ]}
        />
      </Panel>
      {isAdmin(visit) ? (
        <>
          <Panel title="Roles and teams" id="roles">
            <FieldsForm
              to={pathOf(visit)}
              session={session}
              form={MEMBERSHIP}
              state={{ values: membershipOf(names, person), refusal, names, rules }}
            >
              <Button>Save changes</Button>
            </FieldsForm>
          </Panel>
          {person.state === "pending" || person.invited_at == null ? (
            <ActionButton
              to={`${pathOf(visit)}/invite`}
              session={session}
              label={person.invited_at == null ? "Send invitation" : "Resend invitation"}
            />
          ) : null}
          <ActionButton
            to={`${pathOf(visit)}/remove`}
            session={session}
            label="Remove from account"
            tone="danger"
            confirm="Remove this person? They leave every team, schedule and escalation policy of this account."
          />
        </>
      ) : null}
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: user.name, section: "configuration", body };
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const read = await allOf(api.get("/account_users/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(read)) return read;
  const [person, names] = read;
  const body = changedParameters(MEMBERSHIP.bodyOf(form), membershipOf(names, person));
  if (Object.keys(body).length === 0) return done(pathOf(visit), NOTHING_CHANGED);
  const changed = await api.put("/account_users/:id", { ...body, id: idOf(visit) });
  if (isRefusal(changed)) return askAgain(changed, (refusal) => show(visit, refusal));
  return done(pathOf(visit), "Changes saved.");
}

async function remove(visit: Visit): Promise<Reply> {
  const removed = await visit.api.delete("/account_users/:id", { id: idOf(visit) });
  return isRefusal(removed) ? notDone(pathOf(visit), removed) : done("/people", "Person removed.");
}

export const peoplePages: readonly ConsolePage[] = [
  page("/people", (visit) => list(visit)),
  action("/people", invite),
  page("/people/:id", (visit) => show(visit)),
  action("/people/:id", update),
  action("/people/:id/invite", sendInvitation),
  action("/people/:id/remove", remove),
];
