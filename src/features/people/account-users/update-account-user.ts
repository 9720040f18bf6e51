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
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { oneRecord, selectId, selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { followTimeZone } from "../../oncall/absence-calendars/follow-holidays.ts";
import { accountUsers } from "../../schema/people.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { addressesOf, changePerson, takenMeanwhile } from "../users/change-person.ts";
import { refusePersonChange } from "../users/person-access.ts";
import { guardedWrites, rolesNotice } from "../users/person-notices.ts";
import { selectOwners, selectPerson } from "../users/person-rows.ts";
import {
  changesMembership,
  personOf,
  referencesOf,
  teamsField,
  usableBy,
} from "./account-user-input.ts";
import { accountUserRecords } from "./account-user-records.ts";
import { admins, columnsOf, joinTeams, KEEP_AN_ADMIN, WITHIN } from "./account-user-writes.ts";
import type { AccountUser } from "./contract.ts";
import type { UpdateAccountUser } from "./parameters.ts";

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
export function updateAccountUser(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAccountUser,
): Promise<AccountUser | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
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
    const change = { verb: "update", records: accountUserRecords, id, before, writes };
    const committed = await commitChange(context, change).catch((error: unknown) =>
      isPreconditionFailed(error) && body.roles?.admin === false
        ? refuse("conflict", KEEP_AN_ADMIN)
        : takenMeanwhile(error, WITHIN),
    );
    forgetKeys((known) => known.userId === person.userId);
    if (isRefusal(committed)) return committed;
    const { after } = committed;
    const isMoved = after?.user.time_zone !== before.user.time_zone;
    if (isMoved) await followTimeZone(context, person.userId);
    return after ?? notFound("account_user");
  });
}
