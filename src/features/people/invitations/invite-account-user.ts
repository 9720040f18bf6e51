import { welcomeObjectName } from "../../../domain/people/welcome.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { isTaken } from "../../../kernel/db/precondition.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { notifications } from "../../schema/alerts.ts";
import { welcomeObject } from "../../stubs.ts";
import { accountUserRecords } from "../account-users/account-user-records.ts";
import type { AccountUser } from "../account-users/contract.ts";
import { deleteFinishedWelcome, selectInvitee } from "./invitation-rows.ts";
import { countInvitation } from "./welcome.ts";
import { insertWelcome } from "./welcome-rows.ts";

const IN_PROGRESS = refuse("conflict", "another request is sending the invitation");
const SIGNED_IN = refuse("conflict", "the person is a member already and has signed in");

/**
 * Sends an invitation later or again, after an import without invitations or a failed email, or on
 * request. Sends nothing while an earlier one is on its way.
 *
 * @returns the account user; 404; 409 if the person has signed in, or another request sends it; 429
 *   over the account's limit of invitations
 */
export async function inviteAccountUser(
  context: Context,
  identifier: Identifier,
): Promise<AccountUser | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const [[invitee], [before]] = await batch(db, [
    selectInvitee(accountId, identifier),
    selectRecord(accountUserRecords, accountId, identifier),
  ]);
  if (!invitee || !before) return notFound("account_user");
  if (invitee.isIn) return SIGNED_IN;
  if (invitee.isOnItsWay) return before;
  const over = await countInvitation(context);
  if (over) return over;
  const { id, event } = invitee;
  const welcome = { accountId, accountUserId: id };
  // The object is called first: if this worker fails before the write, it finds nothing to send.
  await welcomeObject(env, welcomeObjectName(welcome)).expect(welcome);
  const writes = [deleteFinishedWelcome(welcome), insertWelcome(welcome, event, now)];
  const change = { verb: "invite", records: accountUserRecords, id, before, writes };
  const committed = await commitChange(context, change).catch((error: unknown) => {
    if (!isTaken(error, notifications)) throw error;
    return IN_PROGRESS;
  });
  return isRefusal(committed) ? committed : (committed.after ?? notFound("account_user"));
}
