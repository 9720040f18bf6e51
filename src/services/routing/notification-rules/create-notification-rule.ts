import type { NotificationRule } from "../../../contract/routing/notification-rule.ts";
import type { CreateNotificationRule } from "../../../contract/routing/notification-rule-parameters.ts";
import { notificationRuleRecords } from "../../../db/routing/notification-rule-records.ts";
import { notificationRules } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { columnsOf } from "./rule-columns.ts";

/**
 * Creates a notification rule (contract 2 and 6). Account users refer to it.
 *
 * @param id the ULID of the new rule
 */
export async function createNotificationRule(
  context: Context,
  id: string,
  body: CreateNotificationRule,
): Promise<NotificationRule | Refusal> {
  const { actor, now } = context;
  const identity = newIdentity("notification_rule", now, id);
  const row = { ...identity, accountId: actor.accountId, ...columnsOf(body), name: body.name };
  const { after } = await commitChange(context, {
    verb: "create",
    records: notificationRuleRecords,
    id,
    before: null,
    writes: [build.insert(notificationRules).values(row)],
  });
  return after ?? notFound("notification_rule");
}
