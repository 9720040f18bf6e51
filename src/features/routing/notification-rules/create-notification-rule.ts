import { sql } from "drizzle-orm";
import { type Reference, resolveReferences } from "../../../db/records/references.ts";
import { notificationRules } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { first, select } from "../../../db/shared/select.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import type { NotificationRule } from "./contract.ts";
import { notificationRuleRecords } from "./notification-rule-records.ts";
import type { CreateNotificationRule } from "./parameters.ts";
import { columnsOf } from "./rule-columns.ts";

const OWNER = "account_user_id";

const ownerOf = ({ account_user_id: id }: CreateNotificationRule): Reference => ({
  field: OWNER,
  kind: "account_user",
  ids: id ? [id] : [],
});

/** The most rules of a person's own. */
const MOST_OWNED = 20;

const FULL = refuse("conflict", `a person can have at most ${MOST_OWNED} rules of their own`);

const selectOwned = (accountUserId: string) =>
  select(
    { count: sql<number>`count(*)` },
    sql`from ${notificationRules} where ${notificationRules.accountUserId} = ${accountUserId}`,
  );

/**
 * Creates a notification rule (contract 2 and 6). Account users refer to it.
 *
 * @param id the ULID of the new rule
 * @returns the rule; 409 if the person has too many rules of their own; 422 for an unknown person
 */
export function createNotificationRule(
  context: Context,
  id: string,
  body: CreateNotificationRule,
): Promise<NotificationRule | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const resolved = await resolveReferences(db, accountId, [ownerOf(body)]);
    if (!resolved.ok) return refuseFields(resolved.errors);
    const [accountUserId = null] = resolved.idsOf(OWNER);
    const owned = accountUserId === null ? null : await first(db, selectOwned(accountUserId));
    if ((owned?.count ?? 0) >= MOST_OWNED) return FULL;
    const identity = newIdentity("notification_rule", now, id);
    const row = {
      ...identity,
      ...{ accountId, accountUserId },
      ...columnsOf(body),
      name: body.name,
    };
    const { after } = await commitChange(context, {
      verb: "create",
      records: notificationRuleRecords,
      id,
      before: null,
      writes: [build.insert(notificationRules).values(row)],
    });
    return after ?? notFound("notification_rule");
  });
}
