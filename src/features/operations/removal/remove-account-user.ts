import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { removeMember } from "../../oncall/departures/remove-member.ts";
import { eraseRemoved } from "./erasure.ts";
import { requestErasure, selectMembers, withdrawRequest } from "./erasure-rows.ts";

/**
 * Removes a member from the account.
 *
 * @param erase whether to erase at once what the account stored about the person, instead of 30 days
 *   after they leave their last account; this also works after the removal
 * @returns null; 404; 409 while it is in use, or if no admin would be left
 */
export function removeAccountUser(
  context: Context,
  identifier: Identifier,
  { erase }: { readonly erase: boolean },
): Promise<Refusal | null> {
  return erase ? removeAndErase(context, identifier) : removeMember(context, identifier);
}

async function removeAndErase(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { env, db, actor, now } = context;
  const members = await all(db, selectMembers(actor.accountId));
  const member = members.find(({ id: it }) =>
    identifier.form === "id"
      ? it === identifier.value
      : prefixIdOf("account_user", it) === identifier.value,
  );
  if (!member) return removeMember(context, identifier);
  const { id, userId } = member;
  // Somebody who has left already is on call nowhere.
  if (context.preview) return member.isMember ? removeMember(context, identifier) : null;
  // Recorded first: if this worker fails after the removal, the sweep completes the erasure.
  await statement(db, requestErasure(actor.accountId, id, now)).run();
  const refusal = member.isMember ? await removeMember(context, identifier) : null;
  if (refusal) {
    await statement(db, withdrawRequest(id)).run();
    return refusal;
  }
  await eraseRemoved(env, now, userId).catch((error: unknown) => {
    logFault("an erasure is postponed", error, { id });
  });
  return null;
}
