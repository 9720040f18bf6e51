// Permission check: account admins may act on everyone, others only on themselves.

import type { MemberActor } from "../../domain/access/actor.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { ApiRequest } from "./route.ts";

const NOT_THEIRS = refuse("forbidden", "only the person or an admin can do this");

type Kind = "user" | "account_user";

const ownId = (kind: Kind, { userId, accountUserId }: MemberActor) =>
  kind === "user" ? userId : accountUserId;

/** Null if the actor is an admin, or the user that the identifier names (in either form). */
export function refuseOthers(kind: Kind, actor: MemberActor, named: string): Refusal | null {
  const id = ownId(kind, actor);
  const isOwn = named.toUpperCase() === id || named === prefixIdOf(kind, id);
  return actor.roles.admin || isOwn ? null : NOT_THEIRS;
}

/** The same for the `:id` of the path. */
export const refuseOthersInPath =
  (kind: Kind) =>
  ({ actor, params }: ApiRequest<unknown>): Refusal | null =>
    refuseOthers(kind, actor, params.id ?? "");
