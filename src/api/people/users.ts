// Users: the people behind an account's account users (contract 2, Users). There is no deletion:
// deleting the account user removes a person from the account.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { CreateUser, UpdateUser } from "../../contract/people/user-parameters.ts";
import {
  boolean,
  hash,
  instant,
  nested,
  type RawRow,
  reference,
  string,
} from "../../db/records/attributes.ts";
import type { Records } from "../../db/records/records.ts";
import { accountUsers, users } from "../../db/schema/people.ts";
import { statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, refuse, refuseFields } from "../../domain/shared/refusal.ts";
import { forgetKeys } from "../../http/access/actor.ts";
import { refuseOthersInPath } from "../../http/access/own-record.ts";
import { type Answer, created, found } from "../../http/answers.ts";
import { pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, one, onlyRefusals } from "../../http/shown.ts";
import { proveWith } from "./contacts/address-mails.ts";
import { foundPerson, selectPerson } from "./held-person.ts";
import {
  memberEmail,
  memberEmails,
  memberName,
  memberPhones,
  memberSearch,
  membersFrom,
  ofMember,
} from "./people.ts";
import { addPerson, changePerson, selectOwners, takenMeanwhile } from "./people-changes.ts";
import { mayNotChange } from "./person-access.ts";
import { guardedWrites } from "./person-notices.ts";
import { countInvitation, welcomeWith } from "./welcome.ts";

// ── Rows ──

const userRecords: Records<"User"> = {
  kind: "user",
  shows: "User",
  from: membersFrom,
  accountId: accountUsers.accountId,
  id: users.id,
  prefixId: users.prefixId,
  attributes: {
    id: string(users.id),
    prefix_id: string(users.prefixId),
    account_id: string(accountUsers.accountId),
    account_user_id: reference(accountUsers.id, accountUsers.accountId, accountUsers),
    // The creation time of the membership: earlier data does not belong to this account, and the
    // index has this order.
    created_at: instant(accountUsers.createdAt),
    updated_at: instant(ofMember(users.updatedAt, accountUsers.updatedAt)),
    meta: hash(ofMember(users.meta, sql<Record<string, unknown>>`'{}'`)),
    state: string(accountUsers.state),
    name: string(memberName),
    email: string(memberEmail),
    time_zone: string(ofMember(users.timeZone)),
    preferred_language: string(ofMember(users.preferredLanguage)),
    last_sign_in_at: instant(ofMember(users.lastSignInAt)),
    notify_push: boolean(ofMember(users.notifyPush)),
    notify_email: boolean(ofMember(users.notifyEmail)),
    notify_sms: boolean(ofMember(users.notifySms)),
    notify_voice: boolean(ofMember(users.notifyVoice)),
    emails: nested(memberEmails),
    phones: nested(memberPhones),
  },
  search: memberSearch,
  total: "account_users",
};

/** Matches the membership of the user in the path. */
function membershipOf(accountId: string, identifier: Identifier): SQL {
  const column = identifier.form === "id" ? users.id : users.prefixId;
  return and(eq(accountUsers.accountId, accountId), eq(column, identifier.value)) as SQL;
}

// ── Rules ──

const NOT_DELETED = {
  ...refuse(
    "not_supported",
    "users are not deleted; remove them from the account with DELETE /account_users/:id",
  ),
  allow: "GET, PUT, PATCH",
};

// ── Routes ──

async function create(request: ApiRequest<CreateUser>): Promise<Answer> {
  const { env, db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const { results: owners } = await statement(db, selectOwners(accountId, body)).all<RawRow>();
  const membership = { ...newIdentity("account_user", now, recordId), accountId };
  const added = addPerson(membership, body, owners, "", now);
  if (added.errors.length > 0) return refuseFields(added.errors);
  const isInvited = body.invite !== false;
  const over = isInvited ? await countInvitation(env, db, accountId, now) : null;
  if (over) return over;
  const welcome = { accountId, accountUserId: membership.id };
  const writes = [
    ...added.writes,
    ...(isInvited ? [await welcomeWith(env, welcome, added, now)] : []),
    ...(await proveWith(env, actor, added.unverified, now)),
  ];
  const identifier = { form: "id", value: added.userId } as const;
  const record = await writeAndRead(db, writes, userRecords, accountId, identifier).catch((error) =>
    takenMeanwhile(error, ""),
  );
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateUser>): Promise<Answer> {
  const { env, db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "user");
  if (isRefusal(identifier)) return identifier;
  const [people, owners] = await db.batch<RawRow>([
    statement(db, selectPerson(membershipOf(accountId, identifier))),
    statement(db, selectOwners(accountId, body)),
  ]);
  const person = foundPerson(people?.results);
  if (person === null) return notFound("user");
  const refusal = mayNotChange(actor, person);
  if (refusal) return refusal;
  const changed = changePerson(person, body, owners?.results ?? [], "", now);
  if (changed.errors.length > 0) return refuseFields(changed.errors);
  const writes = [
    ...(await guardedWrites(request, person, changed)),
    ...(await proveWith(env, actor, changed.unverified, now)),
  ];
  const record = await writeAndRead(db, writes, userRecords, accountId, identifier).catch((error) =>
    takenMeanwhile(error, ""),
  );
  forgetKeys((known) => known.userId === person.userId);
  return isRefusal(record) ? record : found(record);
}

export const userRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/users", "User", userRecords),
  route({
    method: "POST",
    path: "/users",
    operation: "createUser",
    summary: "Create or invite a user",
    description: `Invites the person who has verified the primary address; otherwise creates a person and sends their first password to it. With \`invite: false\`, no e-mail is sent until \`POST /account_users/:id/invite\`. The person has to verify further addresses; until then only this account uses them.`,
    shows: made(userRecords),
    body: CreateUser,
    // The created record is the membership, whether or not the person is new.
    makes: { ...userRecords, id: accountUsers.id },
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/users/:id",
    operation: "updateUser",
    summary: "Update a user",
    description: `Allowed for the person (signed in, or with a key that they created), or for an admin while this account is the person's only membership, including pending ones. The person is notified by e-mail. A new address has to be verified with the link that is sent to it. The last verified address cannot be removed; a replacement is added beside it.`,
    shows: one(userRecords),
    body: UpdateUser,
    forbids: refuseOthersInPath("user"),
    handle: (request) => retryOnConflict(() => update(request)),
  }),
  route({
    method: "DELETE",
    path: "/users/:id",
    operation: "deleteUser",
    summary: "Not supported",
    shows: onlyRefusals,
    refuses: ["not_supported"],
    handle: async () => NOT_DELETED,
  }),
];
