// Notification rules: which events a person is notified of, and how (contract 2 and 6). An account
// user refers to one; deleting it resets them to the defaults.
import { sql } from "drizzle-orm";
import {
  CreateNotificationRule,
  UpdateNotificationRule,
} from "../../contract/routing/notification-rule-parameters.ts";
import { boolean, commonAttributes, type RawRow, string } from "../../db/records/attributes.ts";
import { oneRecord, type Records, selectId } from "../../db/records/records.ts";
import { notificationRules } from "../../db/schema/integrations.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { build, statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { isRefusal, notFound } from "../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../http/answers.ts";
import { pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";

// ── Rows ──

const notificationRuleRecords: Records<"NotificationRule"> = {
  kind: "notification_rule",
  shows: "NotificationRule",
  from: notificationRules,
  accountId: notificationRules.accountId,
  id: notificationRules.id,
  prefixId: notificationRules.prefixId,
  attributes: {
    ...commonAttributes(notificationRules),
    name: string(notificationRules.name),
    enabled: boolean(notificationRules.enabled),
    rules: string(notificationRules.rules),
  },
  search: [notificationRules.name],
  total: "notification_rules",
};

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateNotificationRule) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.rules !== undefined && {
      rules: body.rules.text,
      types: [...new Set(body.rules.rules.flatMap(({ types }) => types))],
    }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}

// ── Routes ──

async function create(request: ApiRequest<CreateNotificationRule>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const identity = newIdentity("notification_rule", now, recordId);
  const row = { ...identity, accountId, ...columnsOf(body), name: body.name };
  const insert = build.insert(notificationRules).values(row);
  const identifier = { form: "id", value: row.id } as const;
  const records = notificationRuleRecords;
  const record = await writeAndRead(db, [insert], records, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateNotificationRule>): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "notification_rule");
  if (isRefusal(identifier)) return identifier;
  const change = build
    .update(notificationRules)
    .set({ ...columnsOf(body), updatedAt: now })
    .where(oneRecord(notificationRules, accountId, identifier));
  const records = notificationRuleRecords;
  const record = await writeAndRead(db, [change], records, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

async function remove(request: ApiRequest): Promise<Answer> {
  const { db, actor, now } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, "notification_rule");
  if (isRefusal(identifier)) return identifier;
  const target = selectId(notificationRuleRecords, accountId, identifier);
  const release = sql`update ${accountUsers}
    set notification_rule_id = null, updated_at = ${now}
    where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.notificationRuleId} = (${target})`;
  const deletion = sql`delete from ${notificationRules}
    where ${oneRecord(notificationRules, accountId, identifier)}
    returning ${notificationRules.id} as id`;
  const results = await db.batch<RawRow>([statement(db, release), statement(db, deletion)]);
  return results[1]?.results[0] ? nothing : notFound("notification_rule");
}

export const notificationRuleRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/notification_rules", "NotificationRule", notificationRuleRecords),
  route({
    method: "POST",
    path: "/notification_rules",
    operation: "createNotificationRule",
    summary: "Create a notification rule",
    shows: made(notificationRuleRecords),
    body: CreateNotificationRule,
    makes: notificationRuleRecords,
    handle: create,
  }),
  ...updateRoutes({
    path: "/notification_rules/:id",
    operation: "updateNotificationRule",
    summary: "Update a notification rule",
    shows: one(notificationRuleRecords),
    body: UpdateNotificationRule,
    handle: update,
  }),
  route({
    method: "DELETE",
    path: "/notification_rules/:id",
    operation: "deleteNotificationRule",
    summary: "Delete a notification rule",
    shows: noBody,
    handle: remove,
  }),
];
