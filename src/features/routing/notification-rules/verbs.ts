import { eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { type Reference, resolveReferences } from "../../../kernel/db/references.ts";
import { first, select } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { notificationRules } from "../../schema/integrations.ts";
import { accountUsers } from "../../schema/people.ts";
import { notificationRuleRecords } from "./notification-rule-records.ts";
import type { CreateNotificationRule, UpdateNotificationRule } from "./parameters.ts";

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateNotificationRule) {
  return {
    ...plainColumns(notificationRules, body, "rules"),
    ...(body.rules !== undefined && {
      rules: body.rules.text,
      types: [...new Set(body.rules.rules.flatMap(({ types }) => types))],
    }),
  };
}

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
export async function createNotificationRule(
  context: Context,
  id: string,
  body: CreateNotificationRule,
): Promise<Decision<"NotificationRule"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  const writes = [build.insert(notificationRules).values(row)];
  return {
    ...{ verb: "create", records: notificationRuleRecords, id, before: null, writes },
    answer: ({ after }) => after ?? notFound("notification_rule"),
  };
}

/** Changes a notification rule (contract 2 and 6); the rule, or 404. */
export async function updateNotificationRule(
  context: Context,
  identifier: Identifier,
  body: UpdateNotificationRule,
): Promise<Decision<"NotificationRule"> | Refusal> {
  const { db, actor, now } = context;
  const records = notificationRuleRecords;
  const before = await first(db, selectRecord(records, actor.accountId, identifier));
  if (!before) return notFound("notification_rule");
  const { id } = before;
  const update = build
    .update(notificationRules)
    .set({ ...columnsOf(body), updatedAt: now })
    .where(eq(notificationRules.id, id));
  return {
    ...{ verb: "update", records, id, before, writes: [update] },
    answer: ({ after }) => after ?? notFound("notification_rule"),
  };
}

/** Deletes a notification rule; its people get the defaults again. Null, or 404. */
export async function deleteNotificationRule(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"NotificationRule", null> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const records = notificationRuleRecords;
  const before = await first(db, selectRecord(records, accountId, identifier));
  if (!before) return notFound("notification_rule");
  const { id } = before;
  const writes = [
    assertUnchanged(notificationRules, id, Date.parse(before.updated_at)),
    sql`update ${accountUsers} set notification_rule_id = null, updated_at = ${now}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.notificationRuleId} = ${id}`,
    build.delete(notificationRules).where(eq(notificationRules.id, id)),
  ];
  return { ...{ verb: "delete", records, id, before, writes }, answer: () => null };
}
