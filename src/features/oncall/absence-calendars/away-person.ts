// Whose absence calendars a caller may make: their own; an admin, everyone's.
import type { MemberActor } from "../../../domain/access/actor.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";

const NOT_THEIRS = refuse("forbidden", "only the person or an admin can do this");

type Body = { readonly account_user_id?: string | null | undefined };

/** The person that the parameters name. */
export const personReference = ({ account_user_id: named }: Body): Reference[] => [
  { field: "account_user_id", kind: "account_user", ids: named == null ? [] : [named] },
];

/** Whether a parameter names the caller themselves, in either form. */
const isSelf = ({ accountUserId }: MemberActor, named: string) =>
  named.toUpperCase() === accountUserId || named === prefixIdOf("account_user", accountUserId);

/** The account user id of the person of a new record: by default the caller. */
export function awayPerson(
  actor: MemberActor,
  { account_user_id: named }: Body,
  resolved: Resolved,
): string | Refusal {
  if (named == null || isSelf(actor, named)) return actor.accountUserId;
  if (!actor.roles.admin) return NOT_THEIRS;
  if (!resolved.ok) return refuseFields(resolved.errors);
  return resolved.idsOf("account_user_id")[0] ?? actor.accountUserId;
}
