import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { all } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { countInvitation, prepareWelcomeMail } from "../../operations/invitations/welcome.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { addPerson } from "./add-person.ts";
import { addressesOf, takenMeanwhile } from "./change-person.ts";
import type { User } from "./contract.ts";
import type { CreateUser } from "./parameters.ts";
import { selectOwners } from "./person-rows.ts";
import { userRecords } from "./user-records.ts";

/**
 * Adds a person to the account, with a membership without roles or teams (contract 1, People;
 * contract 2, Users).
 *
 * @param membershipId the ULID of the new membership, whether or not the person is new
 * @returns the user; 422 for taken addresses; 429 over the account's limit of invitations
 */
export function createUser(
  context: Context<MemberActor>,
  membershipId: string,
  body: CreateUser,
): Promise<User | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const owners = await all(db, selectOwners(accountId, addressesOf(body)));
    const membership = { ...newIdentity("account_user", now, membershipId), accountId };
    const added = addPerson(membership, body, owners, "", now);
    if (added.errors.length > 0) return refuseFields(added.errors);
    const isInvited = body.invite !== false;
    const over = isInvited ? await countInvitation(context) : null;
    if (over) return over;
    const welcome = { accountId, accountUserId: membershipId };
    const writes = [
      ...added.writes,
      ...(isInvited ? [await prepareWelcomeMail(context, welcome, added)] : []),
      ...(await prepareVerificationMails(context, added.unverified)),
    ];
    const id = added.userId;
    const change = { verb: "create", records: userRecords, id, before: null, writes };
    const committed = await commitChange(context, change).catch((error: unknown) =>
      takenMeanwhile(error, ""),
    );
    return isRefusal(committed) ? committed : (committed.after ?? notFound("user"));
  });
}
