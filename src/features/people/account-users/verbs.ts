import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { build, statement } from "../../../kernel/db/database.ts";
import { newIdentity, newIdOf } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { oneRecord, selectId, selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { all } from "../../../kernel/db/select.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import { commit } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import { followTimeZone } from "../../oncall/absence-calendars/follow-holidays.ts";
import { accountDeparture, eventsOf } from "../../oncall/events/departure-rows.ts";
import { changeOfDeparture } from "../../oncall/on-call/departure-change.ts";
import { effectOf, NO_EFFECT } from "../../oncall/on-call/on-call-effect.ts";
import { countInvitation, prepareWelcomeMail } from "../../operations/invitations/welcome.ts";
import { eraseRemoved } from "../../operations/removal/erasure.ts";
import { requestErasure, selectMembers } from "../../operations/removal/erasure-rows.ts";
import { accountUsers } from "../../schema/people.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { addPerson } from "../users/add-person.ts";
import { addressesOf, changePerson, takenMeanwhile } from "../users/change-person.ts";
import { refusePersonChange } from "../users/person-access.ts";
import { guardedWrites, rolesNotice } from "../users/person-notices.ts";
import { selectMembersWith, selectOwners, selectPerson } from "../users/rows.ts";
import {
  changesMembership,
  personOf,
  referencesOf,
  teamsField,
  usableBy,
} from "./account-user-input.ts";
import { accountUserRecords } from "./account-user-records.ts";
import { admins, columnsOf, joinTeams, KEEP_AN_ADMIN, WITHIN } from "./account-user-writes.ts";
import type { AccountUserImport, ImportedPerson } from "./contract.ts";
import {
  CreateAccountUser,
  type ImportAccountUsers,
  type UpdateAccountUser,
} from "./parameters.ts";

/**
 * Adds a person to the account: invites the person who has verified the primary address, otherwise
 * creates a person (contract 1, People; contract 2, Account users).
 *
 * @param id the ULID of the new membership
 * @returns the account user; 422 for unknown records or taken addresses; 429 over the account's
 *   limit of invitations
 */
export async function createAccountUser(
  context: Context<MemberActor>,
  id: string,
  body: CreateAccountUser,
): Promise<Decision<"AccountUser"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const parameters = { ...personOf(body), name: body.user_attributes.name };
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectOwners(accountId, addressesOf(parameters)),
  ]);
  const [owners] = rows;
  const ruleId = resolved.ok ? resolved.idsOf("notification_rule_id")[0] : undefined;
  const membership = {
    ...newIdentity("account_user", now, id),
    accountId,
    ...columnsOf(body, ruleId),
  };
  const added = addPerson(membership, parameters, owners, WITHIN, now);
  const errors = [...added.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const teamIds = resolved.idsOf(teamsField(body));
  const welcome = { accountId, accountUserId: id };
  const isInvited = body.invite !== false;
  const over = isInvited ? await countInvitation(context) : null;
  if (over) return over;
  const writes = [
    ...added.writes,
    ...joinTeams(accountId, id, teamIds),
    ...(isInvited ? [await prepareWelcomeMail(context, welcome, added)] : []),
    ...(await prepareVerificationMails(context, added.unverified)),
  ];
  return {
    ...{ verb: "create", records: accountUserRecords, id, before: null, writes },
    refusalOf: (error) => takenMeanwhile(error, WITHIN),
    answer: ({ after }) => after ?? notFound("account_user"),
  };
}

type PersonEntry = ImportAccountUsers["people"][number];
type Result = ImportedPerson;

/** The request that adds one of the people; null with what is wrong with the entry. */
function requestOf({ email, name }: PersonEntry, { people: _, ...shared }: ImportAccountUsers) {
  const address = email.trim();
  const parsed = CreateAccountUser.safeParse({
    ...shared,
    user_attributes: {
      name: name?.trim() || address.split("@", 1)[0],
      emails_attributes: [{ email: address, primary: true }],
    },
  });
  return parsed.success ? { request: parsed.data } : { message: parsed.error.issues[0]?.message };
}

/**
 * Adds several people to the account, one after the other. An entry that cannot be added stops no
 * other; who is a member already is left as they are, so that an import can be repeated.
 *
 * @returns a result per entry; 422 for unknown teams or an unknown rule, before anybody is added
 */
export async function importAccountUsers(
  context: Context<MemberActor>,
  body: ImportAccountUsers,
): Promise<AccountUserImport | Refusal> {
  const { db, actor, now } = context;
  const addresses = body.people.map(({ email }) => email.trim().toLowerCase());
  const { resolved, rows } = await resolveWith(db, actor.accountId, referencesOf(body), [
    selectMembersWith(actor.accountId, addresses),
  ]);
  if (!resolved.ok) return refuseFields(resolved.errors);
  const [known] = rows;
  const seen = new Set<string>();
  const importOne = async (entry: PersonEntry): Promise<Result> => {
    const address = entry.email.trim().toLowerCase();
    const result = { email: entry.email, account_user_id: null, message: null };
    if (seen.has(address)) return { ...result, status: "repeated" };
    seen.add(address);
    const member = known.find(({ email }) => email === address);
    if (member) {
      const status = member.state === "active" ? "member" : "pending";
      return { ...result, status, account_user_id: member.accountUserId };
    }
    const { request, message } = requestOf(entry, body);
    if (!request) return { ...result, status: "invalid", message: message ?? null };
    const id = newIdOf("account_user", now);
    const added = await commit(context, () => createAccountUser(context, id, request));
    if (!isRefusal(added)) return { ...result, status: "added", account_user_id: added.id };
    const why = added.errors.map((error) => error.message).join("; ");
    return { ...result, status: "refused", message: why };
  };
  const results: Result[] = [];
  for (const entry of body.people) results.push(await importOne(entry));
  return { added_count: results.filter(({ status }) => status === "added").length, results };
}

const ADMINS_ONLY = refuse("forbidden", "this needs the role admin");

/** The writes of the membership; a precondition keeps an admin in the account. */
function membershipWrites(
  { actor: { accountId }, now }: Context,
  id: string,
  body: UpdateAccountUser,
  idsOf: (field: string) => readonly string[],
): SQLWrapper[] {
  const [ruleId] = idsOf("notification_rule_id");
  const field = teamsField(body);
  return [
    build
      .update(accountUsers)
      .set({ ...columnsOf(body, ruleId), updatedAt: now })
      .where(and(eq(accountUsers.accountId, accountId), eq(accountUsers.id, id))),
    ...(body[field] === undefined ? [] : joinTeams(accountId, id, idsOf(field))),
    ...(body.roles?.admin === false
      ? [assertPrecondition(sql`exists (${admins(accountId)})`)]
      : []),
  ];
}

/**
 * Changes a membership and its person (contract 1, People; contract 2, Account users). Who may
 * change the person's own data is decided before who may change the membership.
 *
 * @returns the account user; 403 for others' data or without the role admin; 404; 409 if no admin
 *   would be left; 422 for unknown records or taken addresses
 */
export async function updateAccountUser(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAccountUser,
): Promise<Decision<"AccountUser"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const parameters = personOf(body);
  const rules = usableBy(selectId(accountUserRecords, accountId, identifier));
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body, rules), [
    selectPerson(oneRecord(accountUsers, accountId, identifier)),
    selectOwners(accountId, addressesOf(parameters ?? {})),
    selectRecord(accountUserRecords, accountId, identifier),
  ]);
  const [[person], owners, [before]] = rows;
  if (!person || !before) return notFound("account_user");
  const refusal = parameters && refusePersonChange(actor, person);
  if (refusal) return refusal;
  const isSelf = person.userId === actor.userId;
  if (!actor.roles.admin && (!isSelf || changesMembership(body))) return ADMINS_ONLY;
  const personal = parameters ? changePerson(person, parameters, owners, WITHIN, now) : null;
  const errors = [...(personal?.errors ?? []), ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const id = person.accountUserId;
  const membership = membershipWrites(context, id, body, resolved.idsOf);
  const mails = await prepareVerificationMails(context, personal?.unverified ?? []);
  const guarded = await guardedWrites(context, person, personal, rolesNotice(person, body.roles));
  const writes = [...guarded, ...membership, ...mails];
  return {
    ...{ verb: "update", records: accountUserRecords, id, before, writes },
    refusalOf: (error) =>
      isPreconditionFailed(error) && body.roles?.admin === false
        ? refuse("conflict", KEEP_AN_ADMIN)
        : takenMeanwhile(error, WITHIN),
    answer: async ({ after }) => {
      forgetKeys((known) => known.userId === person.userId);
      const isMoved = after?.user.time_zone !== before.user.time_zone;
      if (isMoved) await followTimeZone(context, person.userId);
      return after ?? notFound("account_user");
    },
  };
}

/**
 * Deletes a membership. The person leaves the rosters of events; foreign keys remove the person from
 * teams and delete the keys.
 *
 * @param erase whether to erase at once what the account stored about the person, instead of 30 days
 *   after they leave their last account; this also works after the removal
 * @returns null; 404; 409 while it is in use, or if no admin would be left
 */
export function deleteAccountUser(
  context: Context,
  identifier: Identifier,
  { erase }: { readonly erase: boolean },
): Promise<Removal | Unwritten<null> | Refusal> {
  return erase ? removeAndErase(context, identifier) : removeMember(context, identifier);
}

type Removal = Decision<"AccountUser", null>;

async function removeMember(context: Context, identifier: Identifier): Promise<Removal | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const lastAdmin = sql`select ${KEEP_AN_ADMIN} as message from target
    where not exists (select 1 from (${admins(accountId)}) as other where other.id <> target.id)`;
  const reasons = [lastAdmin, ...selectReferencesToReceiver(accountId)];
  const deletes = async (id: string) => [
    ...(await accountDeparture(db, accountId, id, now)).writes,
    dropReassignments(accountId, id),
    build.delete(accountUsers).where(eq(accountUsers.id, id)),
  ];
  const touches = (id: string) => eventsOf(accountId, id);
  const effect = async (id: string) => {
    const { changed, schedulesOf } = await accountDeparture(db, accountId, id, now);
    return effectOf({ ...changeOfDeparture(changed, schedulesOf), leaver: id });
  };
  const deletion = { reasons, deletes, touches, effect };
  const decided = await deleteRecord(context, accountUserRecords, identifier, deletion);
  if (isRefusal(decided)) return decided;
  const answer = () => {
    forgetKeys((known) => known.accountId === accountId);
    return null;
  };
  return { ...decided, answer };
}

async function removeAndErase(
  context: Context,
  identifier: Identifier,
): Promise<Removal | Unwritten<null> | Refusal> {
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
