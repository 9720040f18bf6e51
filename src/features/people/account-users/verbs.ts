import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity, newIdOf } from "../../../kernel/db/identifiers.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { oneRecord, selectId, selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Decision } from "../../change/change.ts";
import { commit } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { accountUsers } from "../../schema/people.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { countInvitation, prepareWelcomeMail } from "../invitations/welcome.ts";
import { addPerson } from "../users/add-person.ts";
import { addressesOf, changePerson, takenMeanwhile } from "../users/change-person.ts";
import { followTimeZone } from "../users/follow-time-zone.ts";
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
