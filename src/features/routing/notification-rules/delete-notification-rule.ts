import { sql } from "drizzle-orm";
import { oneRecord, selectId } from "../../../db/records/records.ts";
import { notificationRules } from "../../../db/schema/integrations.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import { notificationRuleRecords } from "./notification-rule-records.ts";

/** Deletes a notification rule; its people get the defaults again. Null, or 404. */
export function deleteNotificationRule(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor, now } = context;
  const { accountId } = actor;
  const records = notificationRuleRecords;
  const release = sql`update ${accountUsers}
    set notification_rule_id = null, updated_at = ${now}
    where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.notificationRuleId} = (${selectId(records, accountId, identifier)})`;
  const deletion = build
    .delete(notificationRules)
    .where(oneRecord(notificationRules, accountId, identifier));
  const writes = [release, deletion];
  return retryOnConflict(async () => {
    const { before } = await commitUnread(context, { verb: "delete", records, identifier, writes });
    return before ? null : notFound("notification_rule");
  });
}
