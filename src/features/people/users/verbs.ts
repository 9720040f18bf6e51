import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { all, batch } from "../../../kernel/db/select.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { countInvitation, prepareWelcomeMail } from "../invitations/welcome.ts";
import { addPerson } from "./add-person.ts";
import { addressesOf, changePerson, takenMeanwhile } from "./change-person.ts";
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
export async function createUser(
  context: Context<MemberActor>,
  membershipId: string,
  body: CreateUser,
): Promise<Decision<"User"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  return {
    ...{ verb: "create", records: userRecords, id, before: null, writes },
    refusalOf: (error) => takenMeanwhile(error, ""),
    answer: ({ after }) => after ?? notFound("user"),
  };
}

/**
 * Changes a person's own data, and notifies them by e-mail (contract 1, People; contract 2, Users).
 *
 * @returns the user; 403 unless the actor is the person, or an admin of their only account; 404; 422
 *   for taken addresses, or if no verified address would be left
 */
export async function updateUser(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateUser,
): Promise<Decision<"User"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  return {
    ...{ verb: "update", records: userRecords, id, before, writes },
    refusalOf: (error) => takenMeanwhile(error, ""),
    answer: async ({ after }) => {
      forgetKeys((known) => known.userId === id);
      if (after && after.time_zone !== before.time_zone) await followTimeZone(context, id);
      return after ?? notFound("user");
    },
  };
}
