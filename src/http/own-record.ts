// Requests that an account's admins may make of anybody, and everybody else of themselves only.
import { prefixIdOf } from "../domain/identifiers.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import type { Actor } from "./actor.ts";
import type { ApiRequest } from "./route.ts";

const NOT_THEIRS = refuse("forbidden", "only the person or an admin can do this");

type Kind = "user" | "account_user";

const ownId = (kind: Kind, { userId, accountUserId }: Actor) =>
  kind === "user" ? userId : accountUserId;

/** The refusal of an actor who is neither an admin nor who the identifier, in either form, names; else null. */
export function othersRefusal(kind: Kind, actor: Actor, named: string): Refusal | null {
  const id = ownId(kind, actor);
  const isOwn = named.toUpperCase() === id || named === prefixIdOf(kind, id);
  return actor.roles.admin || isOwn ? null : NOT_THEIRS;
}

/** The same for whom the path names. */
export const othersInPath =
  (kind: Kind) =>
  ({ actor, params }: ApiRequest<unknown>): Refusal | null =>
    othersRefusal(kind, actor, params.id ?? "");
