import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { countInvitation, prepareWelcomeMail } from "../../operations/invitations/welcome.ts";
import { prepareVerificationMails } from "../contacts/address-mails.ts";
import { addPerson } from "../users/add-person.ts";
import { addressesOf, takenMeanwhile } from "../users/change-person.ts";
import { selectOwners } from "../users/person-rows.ts";
import { personOf, referencesOf, teamsField } from "./account-user-input.ts";
import { accountUserRecords } from "./account-user-records.ts";
import { columnsOf, joinTeams, WITHIN } from "./account-user-writes.ts";
import type { AccountUser } from "./contract.ts";
import type { CreateAccountUser } from "./parameters.ts";

/**
 * Adds a person to the account: invites the person who has verified the primary address, otherwise
 * creates a person (contract 1, People; contract 2, Account users).
 *
 * @param id the ULID of the new membership
 * @returns the account user; 422 for unknown records or taken addresses; 429 over the account's
 *   limit of invitations
 */
export function createAccountUser(
  context: Context<MemberActor>,
  id: string,
  body: CreateAccountUser,
): Promise<AccountUser | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
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
    const change = { verb: "create", records: accountUserRecords, id, before: null, writes };
    const committed = await commitChange(context, change).catch((error: unknown) =>
      takenMeanwhile(error, WITHIN),
    );
    return isRefusal(committed) ? committed : (committed.after ?? notFound("account_user"));
  });
}
