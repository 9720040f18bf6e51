// The roles and teams of a member, in lists and as the fields of forms, and the
// notification rules that a member may use.
import type { AccountUser } from "../../features/people/account-users/contract.ts";
import type { NotificationRule } from "../../features/routing/notification-rules/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import type { Choice } from "../../kernel/console/choice.ts";
import { CheckField, type FormState } from "../../kernel/console/form.tsx";
import { isTicked, type Values } from "../../kernel/console/values.ts";
import { choicesOf } from "../choices.ts";
import type { Names } from "../reads.ts";

export const ROLES = [
  { name: "admin", label: "Admin", help: "Changes the account's configuration." },
  { name: "billing", label: "Billing", help: "Manages billing." },
  { name: "broadcaster", label: "Broadcaster", help: "Sends broadcasts." },
  {
    name: "communicator",
    label: "Communicator",
    help: "Communicates with people outside the account.",
  },
] as const;

const accountRoles = (person: AccountUser): readonly string[] =>
  ROLES.filter(({ name }) => person.roles[name]).map(({ label }) => label);

/** The roles of the account in a line; without one: "Member". */
export const rolesText = (person: AccountUser): string =>
  accountRoles(person).join(", ") || "Member";

/** What a member may do, in words: the roles of the account, then those of teams. */
export const roleNames = (names: Names, person: AccountUser): readonly string[] => {
  const roles = accountRoles(person);
  const isTeamAdmin = names.teams.some((it) => it.admin_account_user_ids.includes(person.id));
  const all = isTeamAdmin ? [...roles, "Team admin"] : roles;
  return all.length > 0 ? all : ["Member"];
};

export const teamsOf = (names: Names, person: AccountUser) =>
  names.teams.filter((team) => team.member_account_user_ids.includes(person.id));

export const teamNames = (names: Names, person: AccountUser) =>
  teamsOf(names, person)
    .map(({ name }) => name)
    .join(", ");

export const Emails = ({ person }: { readonly person: AccountUser }) => (
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

export const Roles = (of: FormState) => (
  <fieldset class="group">
    <legend>Roles</legend>
    {ROLES.map(({ name, label, help }) => (
      <CheckField {...{ of, label, help }} name={`role_${name}`} />
    ))}
  </fieldset>
);

export const sentRoles = (form: Values) => ({
  roles: Object.fromEntries(ROLES.map(({ name }) => [name, isTicked(form, `role_${name}`)])),
});

export type FormWithNames = FormState & { readonly names: Names };

export const TEAMS = {
  name: "member_team_ids",
  label: "Teams",
  choices: ({ names }: FormWithNames) => choicesOf(names.teams),
  source: "teams",
} as const;

/** The rules that a person may use: those of the account, and their own. */
export const usableRules = (
  rules: readonly NotificationRule[],
  accountUserId: string,
): readonly NotificationRule[] =>
  rules.filter((it) => it.account_user_id === null || it.account_user_id === accountUserId);

/** Rules as choices, after the one of none; those of a person's own say so. */
export const ruleChoices = (
  rules: readonly NotificationRule[],
  own: string,
  none: string,
): readonly Choice[] => [
  { value: "", label: none },
  ...rules.map(({ id, name, account_user_id, enabled }) => {
    const notes = [account_user_id ? own : "", enabled ? "" : "disabled"].filter(Boolean);
    return { value: id, label: notes.length > 0 ? `${name} (${notes.join(", ")})` : name };
  }),
];
