// Notification rules: what a record shows (contract 2 and 6).

import { reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { notificationRules } from "../../schema/integrations.ts";
import { accountUsers } from "../../schema/people.ts";

export const notificationRuleRecords: Records<"NotificationRule"> = {
  kind: "notification_rule",
  shows: "NotificationRule",
  from: notificationRules,
  accountId: notificationRules.accountId,
  id: notificationRules.id,
  prefixId: notificationRules.prefixId,
  attributes: {
    ...plainAttributes("NotificationRule", notificationRules, []),
    account_user_id: reference(
      notificationRules.accountUserId,
      notificationRules.accountId,
      accountUsers,
    ),
  },
  search: [notificationRules.name],
  total: "notification_rules",
};
