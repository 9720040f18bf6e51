import { isNull } from "drizzle-orm";
import { notificationRuleRecords } from "../../../features/routing/notification-rules/notification-rule-records.ts";
import {
  CreateNotificationRule,
  UpdateNotificationRule,
} from "../../../features/routing/notification-rules/parameters.ts";
import {
  createNotificationRule,
  updateNotificationRule,
} from "../../../features/routing/notification-rules/verbs.ts";
import { selectEvery } from "../../../kernel/db/records.ts";
import { notificationRules } from "../../schema/integrations.ts";
import { byId, declareSection, pick, plainFields, validated } from "./section.ts";

const FIELDS = plainFields(CreateNotificationRule);

/** People's own rules are theirs, as their telephone numbers are. */
const OF_THE_ACCOUNT = isNull(notificationRules.accountUserId);

/** Notification rules of the account. */
export const notificationRulesSection = declareSection({
  name: "notification_rules",
  kind: "notification_rule",
  fields: FIELDS,
  select: (accountId) => selectEvery(notificationRuleRecords, accountId, OF_THE_ACCOUNT),
  show: (rule) => pick(rule, FIELDS),
  parametersOf: (entry) => pick(entry, FIELDS),
  create: validated(CreateNotificationRule, createNotificationRule),
  update: validated(UpdateNotificationRule, (context, id, body) =>
    updateNotificationRule(context, byId(id), body),
  ),
});
