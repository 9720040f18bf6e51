// Adds a person to an account. Adding an existing person invites them and changes none of their data
// (contract 1, People).

import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { emailChanges } from "../contacts/contact-input.ts";
import { changePerson, type PersonWrites } from "./change-person.ts";
import type { UpdateUser } from "./parameters.ts";
import type { AddressOwner } from "./rows.ts";

/**
 * The writes that add a person to an account. If the request's primary address identifies an
 * existing person, they get a pending membership with the data that the inviter sent; otherwise, a
 * new person with an active membership. Other addresses do not identify the person, and an
 * invitation does not add them.
 */
export function addPerson(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: UpdateUser & { readonly name: string },
  owners: readonly AddressOwner[],
  within: string,
  now: number,
): PersonWrites {
  const { added, primaryId } = emailChanges(null, parameters, within, now);
  const primary = added.find(({ id }) => id === primaryId)?.value;
  const owner = owners.find(({ email }) => email === primary);
  if (owner !== undefined) return invite(membership, parameters, owner, within);
  const user = {
    ...newIdentity("user", now),
    ...plainColumns(users, parameters),
    name: parameters.name,
  };
  const { accountId } = membership;
  const none = { userId: user.id, accountId, emails: null, phones: [], settings: {} };
  const person = changePerson(none, parameters, owners, within, now);
  const insert = build.insert(users).values(user);
  const join = build.insert(accountUsers).values({ ...membership, userId: user.id });
  return { ...person, isKnown: false, writes: [insert, ...person.writes, join] };
}

function invite(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: UpdateUser & { readonly name: string },
  owner: AddressOwner,
  within: string,
): PersonWrites {
  const { userId } = owner;
  const known = { userId, isKnown: true, writes: [], unverified: [], notices: [], errors: [] };
  const field = `${within}${parameters.email === undefined ? "emails_attributes" : "email"}`;
  const wrong = (why: string) => ({ ...known, errors: [{ field, message: `${field} ${why}` }] });
  if (owner.state === "active") return wrong("has been taken by a member of this account");
  if (owner.state === "pending") return wrong("has been invited already");
  const pending = {
    ...membership,
    userId,
    state: "pending" as const,
    invitedName: parameters.name,
    invitedEmail: owner.email,
  };
  return { ...known, writes: [build.insert(accountUsers).values(pending)] };
}
