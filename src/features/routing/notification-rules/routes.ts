// The routes of notification rules: which events a person is notified of, and how (contract 2 and
// 6). An account user refers to one; deleting it resets them to the defaults.

import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { ownsNewRule, ownsRule } from "../../access/permissions/rule-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { notificationRuleRecords } from "./notification-rule-records.ts";
import { CreateNotificationRule, UpdateNotificationRule } from "./parameters.ts";
import { createNotificationRule, deleteNotificationRule, updateNotificationRule } from "./verbs.ts";

export const notificationRuleRoutes = [
  ...readRoutes("/notification_rules", "NotificationRule", notificationRuleRecords),
  route({
    method: "POST",
    path: "/notification_rules",
    operation: "createNotificationRule",
    allow: { owner: ownsNewRule },
    summary: "Create a notification rule",
    shows: made(notificationRuleRecords),
    body: CreateNotificationRule,
    makes: notificationRuleRecords,
    handle: handleChange(created, (request) =>
      createNotificationRule(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/notification_rules/:id",
    operation: "updateNotificationRule",
    allow: { owner: ownsRule },
    summary: "Update a notification rule",
    shows: one(notificationRuleRecords),
    body: UpdateNotificationRule,
    handle: onRecord(
      "notification_rule",
      handleChange(found, (request, identifier) =>
        updateNotificationRule(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "DELETE",
    path: "/notification_rules/:id",
    operation: "deleteNotificationRule",
    allow: { owner: ownsRule },
    summary: "Delete a notification rule",
    shows: noBody,
    handle: onRecord(
      "notification_rule",
      handleChange(deleted, (request, identifier) => deleteNotificationRule(request, identifier)),
    ),
  }),
];
