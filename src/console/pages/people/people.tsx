// People and roles: the members of the account, their roles and teams, invitations and removal.
import type { AccountUser } from "../../../contract/people/account-user.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import {
  action,
  type ConsolePage,
  done,
  idOf,
  notDone,
  page,
  type Reply,
  textOf,
  type Visit,
} from "../../page.ts";
import { Badge } from "../../parts/shared/badge.tsx";
import {
  ActionButton,
  Button,
  CheckField,
  Form,
  FormFaults,
  SelectField,
  TextField,
} from "../../parts/shared/form.tsx";
import { Facts, Heading, Panel } from "../../parts/shared/panel.tsx";
import { choicesOf, PickMany } from "../../parts/shared/pick-many.tsx";
import { Table } from "../../parts/shared/table.tsx";
import { askAgain, statusAfter } from "../../shared/again.ts";
import { allOf } from "../../shared/api.ts";
import { changedParameters, NOTHING_CHANGED } from "../../shared/changed.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { isAdmin, SETUP } from "../../shared/resource-pages.tsx";
import { fieldText, isTicked, listOf } from "../../shared/values.ts";

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

const Roles = ({ chosen }: { readonly chosen: (name: string) => boolean }) => (
  <fieldset class="group">
    <legend>Roles</legend>
    {ROLES.map(({ name, label, help }) => (
      <CheckField name={`role_${name}`} label={label} help={help} checked={chosen(name)} />
    ))}
  </fieldset>
);

const sentRoles = (form: Visit["form"]) =>
  Object.fromEntries(ROLES.map(({ name }) => [name, isTicked(form, `role_${name}`)]));

/** The API's errors under the form's field names: `user_attributes.name` is `name`. */
const withFormNames = (refusal: Refusal | null): Refusal | null =>
  refusal && {
    ...refusal,
    errors: refusal.errors.map((error) => ({
      ...error,
      field: /email/.test(error.field ?? "") ? "email" : error.field?.split(".").at(-1),
    })),
  };

const Invite = ({
  visit,
  refusal,
  names,
}: {
  visit: Visit;
  refusal: Refusal | null;
  names: Names;
}) => (
  <Panel title="Invite person" id="invite">
    <Form to="/people" session={visit.session} kind="fields">
      <FormFaults refusal={refusal} fields={["name", "email", "member_team_ids"]} />
      <TextField
        name="name"
        label="Name"
        value={fieldText(visit.form, "name")}
        autocomplete="off"
        refusal={refusal}
        required
      />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        value={fieldText(visit.form, "email")}
        autocomplete="off"
        help="The first password or the invitation is sent to this address."
        refusal={refusal}
        required
      />
      <PickMany
        name="member_team_ids"
        label="Teams"
        choices={choicesOf(names.teams)}
        chosen={listOf(visit.form, "member_team_ids")}
        refusal={refusal}
      />
      <Roles chosen={(name) => isTicked(visit.form, `role_${name}`)} />
      <CheckField
        name="later"
        label="Send the invitation later"
        help="The person is added now. Send the invitation later from their page."
        checked={isTicked(visit.form, "later")}
      />
      <Button>Invite person</Button>
    </Form>
  </Panel>
);

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
            cell: (it) =>
              names.teams
                .filter((team) => team.member_account_user_ids.includes(it.id))
                .map(({ name }) => name)
                .join(", "),
          },
        ]}
      />
      {isAdmin(visit) ? (
        <Invite visit={visit} refusal={withFormNames(refused)} names={names} />
      ) : null}
    </>
  );
  const status = statusAfter(refused);
  return { kind: "page", status, title: "People and roles", section: "configuration", body };
}

async function invite(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const invited = await api.post("/account_users", {
    user_attributes: {
      name: textOf(form, "name"),
      emails_attributes: [{ email: textOf(form, "email").trim(), primary: true }],
    },
    roles: sentRoles(form),
    member_team_ids: listOf(form, "member_team_ids"),
    invite: !isTicked(form, "later"),
  });
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

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    api.get("/account_users/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/notification_rules"),
  );
  if (isRefusal(read)) return read;
  const [person, names, rules] = read;
  const teams = names.teams.filter((team) => team.member_account_user_ids.includes(person.id));
  const { user } = person;
  const rule = [{ value: "", label: "none (own settings)" }, ...choicesOf(rules)];
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
            ["Teams", teams.map(({ name }) => name).join(", ")],
          ]}
        />
      </Panel>
      {isAdmin(visit) ? (
        <>
          <Panel title="Roles and teams" id="roles">
            <Form to={pathOf(visit)} session={session} kind="fields">
              <FormFaults refusal={refusal} fields={[]} />
              <Roles chosen={(name) => rolesOf(person).some((role) => role.name === name)} />
              <PickMany
                name="member_team_ids"
                label="Teams"
                choices={choicesOf(names.teams)}
                chosen={teams.map(({ id }) => id)}
              />
              <SelectField
                name="notification_rule_id"
                label="Notification rule"
                choices={rule}
                value={person.notification_rule_id}
              />
              <Button>Save changes</Button>
            </Form>
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
  const rule = textOf(form, "notification_rule_id");
  const sent = {
    roles: sentRoles(form),
    member_team_ids: listOf(form, "member_team_ids"),
    notification_rule_id: rule === "" ? null : rule,
  };
  const read = await allOf(api.get("/account_users/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(read)) return read;
  const [person, names] = read;
  const member_team_ids = names.teams
    .filter((team) => team.member_account_user_ids.includes(person.id))
    .map(({ id }) => id);
  const body = changedParameters(sent, { ...person, member_team_ids });
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
