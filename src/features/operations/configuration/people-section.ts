import { selectEvery } from "../../../kernel/db/records.ts";
import { accountUserRecords } from "../../people/account-users/account-user-records.ts";
import type { AccountUser } from "../../people/account-users/contract.ts";
import { CreateAccountUser, UpdateAccountUser } from "../../people/account-users/parameters.ts";
import { createAccountUser, updateAccountUser } from "../../people/account-users/verbs.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  validated,
} from "./section.ts";

const ROLES = ["admin", "billing", "broadcaster", "communicator"] as const;

/**
 * People by their primary e-mail address. Name and time zone belong to the person, not to the
 * account: only new people get them. New people are not invited by mail; an admin does that.
 */
export const peopleSection = declareSection({
  name: "people",
  kind: "account_user",
  fields: ["name", "time_zone", "roles", "notification_rule"],
  fieldNames: { notification_rule_id: "notification_rule", user_attributes: "" },
  onlyNew: ["name", "time_zone"],
  select: (accountId) => selectEvery(accountUserRecords, accountId),
  emailOf: ({ user, prefix_id }) => {
    const address = user.emails.find(({ primary }) => primary) ?? user.emails[0];
    return address?.email ?? prefix_id;
  },
  show,
  parametersOf,
  create: validated(CreateAccountUser, createAccountUser),
  update: validated(UpdateAccountUser, (context, id, body) =>
    updateAccountUser(context, byId(id), body),
  ),
});

function show({ user, roles, notification_rule_id: ruleId }: AccountUser, keyOf: KeyOf): Entry {
  const rule = ruleId && keyOf("notification_rule", ruleId);
  return {
    name: user.name,
    time_zone: user.time_zone,
    roles: ROLES.filter((role) => roles[role]),
    // Without a key, it is the person's own rule: left out, so that the file does not take it away.
    ...(ruleId !== null && rule === null ? {} : { notification_rule: rule }),
  };
}

function parametersOf(
  entry: Entry,
  find: Finder,
  place: string,
  stored: AccountUser | null,
): Parameters {
  const { email, name, time_zone: zone, roles, notification_rule: rule } = entry;
  const ruleId = rule && find.idOf("notification_rule", rule, `${place}.notification_rule`);
  const person = { name, time_zone: zone, emails_attributes: [{ email, primary: true }] };
  return {
    ...(roles !== undefined && { roles: rolesIn(roles, find, `${place}.roles`) }),
    ...(rule !== undefined && { notification_rule_id: ruleId || null }),
    ...(stored === null && { invite: false, user_attributes: person }),
  };
}

/** The file lists all roles of a person. */
function rolesIn(roles: unknown, find: Finder, place: string) {
  const listed: readonly unknown[] = Array.isArray(roles) ? roles : [roles];
  for (const [i, role] of listed.entries()) {
    if (!ROLES.some((known) => known === role)) {
      find.fault(`${place}[${i}]`, `must be one of ${ROLES.join(", ")}`);
    }
  }
  return Object.fromEntries(ROLES.map((role) => [role, listed.includes(role)]));
}
