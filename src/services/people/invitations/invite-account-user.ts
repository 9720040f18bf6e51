import type { AccountUser } from "../../../contract/people/account-user.ts";
import { accountUserRecords } from "../../../db/people/account-user-records.ts";
import { deleteFinishedWelcome, selectInvitee } from "../../../db/people/invitation-rows.ts";
import { insertWelcome } from "../../../db/people/welcome-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { notifications } from "../../../db/schema/alerts.ts";
import { isTaken } from "../../../db/shared/precondition.ts";
import { batch } from "../../../db/shared/select.ts";
import { welcomeObjectName } from "../../../domain/people/welcome.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { welcomeObject } from "../../../objects/shared/stubs.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { countInvitation } from "./welcome.ts";

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
