import { oneRecord } from "../../../db/records/records.ts";
import { notificationRules } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import type { NotificationRule } from "./contract.ts";
import { notificationRuleRecords } from "./notification-rule-records.ts";
import type { UpdateNotificationRule } from "./parameters.ts";
import { columnsOf } from "./rule-columns.ts";

/** Changes a notification rule (contract 2 and 6); the rule, or 404. */
export function updateNotificationRule(
  context: Context,
  identifier: Identifier,
  body: UpdateNotificationRule,
): Promise<NotificationRule | Refusal> {
  const { actor, now } = context;
  const change = build
    .update(notificationRules)
    .set({ ...columnsOf(body), updatedAt: now })
    .where(oneRecord(notificationRules, actor.accountId, identifier));
  return retryOnConflict(async () => {
    const { after } = await commitUnread(context, {
      verb: "update",
      records: notificationRuleRecords,
      identifier,
      writes: [change],
    });
    return after ?? notFound("notification_rule");
  });
}
