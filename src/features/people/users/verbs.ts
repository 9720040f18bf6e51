import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { all, batch } from "../../../kernel/db/select.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { countInvitation, prepareWelcomeMail } from "../invitations/welcome.ts";
import { addPerson } from "./add-person.ts";
import { addressesOf, changePerson, takenMeanwhile } from "./change-person.ts";
import type { User } from "./contract.ts";
import { followTimeZone } from "./follow-time-zone.ts";
import type { CreateUser, UpdateUser } from "./parameters.ts";
import { refusePersonChange } from "./person-access.ts";
import { guardedWrites } from "./person-notices.ts";
import { membershipOf, selectOwners, selectPerson, userRecords } from "./rows.ts";

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

/**
 * Changes a person's own data, and notifies them by e-mail (contract 1, People; contract 2, Users).
 *
 * @returns the user; 403 unless the actor is the person, or an admin of their only account; 404; 422
 *   for taken addresses, or if no verified address would be left
 */
export function updateUser(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateUser,
): Promise<User | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const [[person], owners, [before]] = await batch(db, [
      selectPerson(membershipOf(accountId, identifier)),
      selectOwners(accountId, addressesOf(body)),
      selectRecord(userRecords, accountId, identifier),
    ]);
    if (!person || !before) return notFound("user");
    const refusal = refusePersonChange(actor, person);
    if (refusal) return refusal;
    const changed = changePerson(person, body, owners, "", now);
    if (changed.errors.length > 0) return refuseFields(changed.errors);
    const writes = [
      ...(await guardedWrites(context, person, changed)),
      ...(await prepareVerificationMails(context, changed.unverified)),
    ];
    const id = person.userId;
    const change = { verb: "update", records: userRecords, id, before, writes };
    const committed = await commitChange(context, change).catch((error: unknown) =>
      takenMeanwhile(error, ""),
    );
    forgetKeys((known) => known.userId === id);
    if (isRefusal(committed)) return committed;
    const { after } = committed;
    if (after && after.time_zone !== before.time_zone) await followTimeZone(context, id);
    return after ?? notFound("user");
  });
}
