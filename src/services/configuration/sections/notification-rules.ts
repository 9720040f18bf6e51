import {
  CreateNotificationRule,
  UpdateNotificationRule,
} from "../../../contract/routing/notification-rule-parameters.ts";
import { selectEvery } from "../../../db/records/records.ts";
import { notificationRuleRecords } from "../../../db/routing/notification-rule-records.ts";
import { createNotificationRule } from "../../routing/notification-rules/create-notification-rule.ts";
import { updateNotificationRule } from "../../routing/notification-rules/update-notification-rule.ts";
import { byId, declareSection, pick, validated } from "./section.ts";

const FIELDS = ["name", "enabled", "rules"];

/** Notification rules. */
export const notificationRulesSection = declareSection({
  name: "notification_rules",
  kind: "notification_rule",
  fields: FIELDS,
  select: (accountId) => selectEvery(notificationRuleRecords, accountId),
  show: ({ name, enabled, rules }) => ({ name, enabled, rules }),
  parametersOf: (entry) => pick(entry, FIELDS),
  create: validated(CreateNotificationRule, createNotificationRule),
  update: validated(UpdateNotificationRule, (context, id, body) =>
    updateNotificationRule(context, byId(id), body),
  ),
});
