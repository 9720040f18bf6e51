// Notification rules: what a record shows (contract 2 and 6).
import { boolean, commonAttributes, reference, string } from "../records/attributes.ts";
import type { Records } from "../records/records.ts";
import { notificationRules } from "../schema/integrations.ts";
import { accountUsers } from "../schema/people.ts";

export const notificationRuleRecords: Records<"NotificationRule"> = {
  kind: "notification_rule",
  shows: "NotificationRule",
  from: notificationRules,
  accountId: notificationRules.accountId,
  id: notificationRules.id,
  prefixId: notificationRules.prefixId,
  attributes: {
    ...commonAttributes(notificationRules),
    account_user_id: reference(
      notificationRules.accountUserId,
      notificationRules.accountId,
      accountUsers,
    ),
    name: string(notificationRules.name),
    enabled: boolean(notificationRules.enabled),
    rules: string(notificationRules.rules),
  },
  search: [notificationRules.name],
  total: "notification_rules",
};
