import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { type RemovalDecision, removeMember } from "../../oncall/departures/remove-member.ts";
import { NO_EFFECT } from "../../oncall/on-call/on-call-effect.ts";
import { eraseRemoved } from "./erasure.ts";
import { requestErasure, selectMembers } from "./erasure-rows.ts";

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
): Promise<RemovalDecision | Unwritten<null> | Refusal> {
  return erase ? removeAndErase(context, identifier) : removeMember(context, identifier);
}

async function removeAndErase(
  context: Context,
  identifier: Identifier,
): Promise<RemovalDecision | Unwritten<null> | Refusal> {
  const { env, db, actor, now } = context;
  const members = await all(db, selectMembers(actor.accountId));
  const member = members.find(({ id: it }) =>
    identifier.form === "id"
      ? it === identifier.value
      : prefixIdOf("account_user", it) === identifier.value,
  );
  if (!member) return removeMember(context, identifier);
  const { id, userId } = member;
  // Written with the removal: if this worker fails after it, the sweep completes the erasure.
  const request = requestErasure(actor.accountId, id, now);
  const eraseNow = async () => {
    await eraseRemoved(env, now, userId).catch((error: unknown) => {
      logFault("an erasure is postponed", error, { id });
    });
    return null;
  };
  if (!member.isMember) {
    // Somebody who has left already is on call nowhere.
    const answer = async () => {
      await statement(db, request).run();
      return eraseNow();
    };
    return { effect: async () => NO_EFFECT, answer };
  }
  const removal = await removeMember(context, identifier);
  if (isRefusal(removal)) return removal;
  return {
    ...removal,
    writes: [request, ...removal.writes],
    answer: async (committed) => {
      await removal.answer(committed);
      return eraseNow();
    },
  };
}
