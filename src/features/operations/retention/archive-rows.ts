// Reads records as the archive stores them: in the form that the API shows to admins, an alert with
// its timeline, workflows, notifications and comments.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { selectList } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { presentRecord, type Records } from "../../../kernel/db/records.ts";
import { batch, type Select } from "../../../kernel/db/select.ts";
import { alertRecords } from "../../alerts/alerts/alert-records.ts";
import { logRecords } from "../../alerts/alerts/log-records.ts";
import { commentRecords } from "../../alerts/comments/rows.ts";
import { workflowRecords } from "../../alerts/escalation/rows.ts";
import type { AnswerName, AnswerNamed } from "../../answers.ts";
import { notificationRecords } from "../../notifications/notifications/rows.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { comments } from "../../schema/messages.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { logEntries } from "../../schema/views/log-entries.ts";
import type { Removable } from "./retention-rows.ts";

/** The archive belongs to the deployment's operators: it shows what admins see. */
const READER = {
  actor: { roles: { admin: true, billing: false, broadcaster: false, communicator: false } },
} as const;

const shownLogs = logRecords(READER);
const shownNotifications = notificationRecords(READER);

/** The records that match, in the order of their ids. */
function shown<Name extends AnswerName>(
  records: Records<Name>,
  where: SQL,
  prefix: SQL = sql``,
): Select<AnswerNamed<Name>> {
  const query = sql`${prefix} select ${selectList(records.attributes)} from ${records.from}
    where ${where} order by ${records.id}`;
  return { getSQL: () => query, toRow: (row) => presentRecord(records, row) };
}

const among = (account: SQLWrapper, id: SQLWrapper, records: readonly Removable[]): SQL => {
  const listOf = (values: readonly string[]) =>
    sql`(select value from json_each(${JSON.stringify([...new Set(values)])}))`;
  // Apart, as the parts of a view can use them; no id is in two accounts.
  return sql`${account} in ${listOf(records.map((it) => it.accountId))}
    and ${id} in ${listOf(records.map((it) => it.id))}`;
};

/** Selects the comments on alerts, with their replies at any depth. */
function selectThreads(records: readonly Removable[]) {
  const thread = sql`with recursive thread (account_id, id) as (
      select ${comments.accountId}, ${comments.id} from ${comments}
        where ${among(comments.accountId, comments.commentableId, records)}
      union
      select reply.account_id, reply.id from thread join ${comments} as reply
        on reply.account_id = thread.account_id and reply.commentable_id = thread.id)`;
  return shown(commentRecords, sql`${comments.id} in (select id from thread)`, thread);
}

type Log = AnswerNamed<"Log">;

/** What the archive has of an alert. Of a deleted alert only the timeline and notifications exist. */
export type ArchivedAlert = (
  | AnswerNamed<"Alert">
  | (Pick<Log, "id" | "account_id" | "created_at" | "updated_at"> & { readonly deleted: true })
) & {
  readonly timeline: Log["details"]["sublogs"];
  readonly workflows: readonly AnswerNamed<"AlertWorkflow">[];
  readonly notifications: readonly AnswerNamed<"Notification">[];
  readonly comments: readonly AnswerNamed<"Comment">[];
};

/** Reads alerts, deleted ones too, with everything that belongs to them. One round trip. */
export async function readAlerts(
  db: Connection,
  records: readonly Removable[],
): Promise<ArchivedAlert[]> {
  const [found, timelines, workflows, notices, written] = await batch(db, [
    shown(alertRecords, among(alerts.accountId, alerts.id, records)),
    shown(shownLogs, among(logEntries.accountId, logEntries.id, records)),
    shown(workflowRecords, among(alertWorkflows.accountId, alertWorkflows.alertId, records)),
    shown(shownNotifications, among(notifications.accountId, notifications.ownerId, records)),
    selectThreads(records),
  ]);
  const alertById = new Map(found.map((it) => [it.id, it]));
  const timelineById = new Map(timelines.map((it) => [it.id, it]));
  const workflowsById = Map.groupBy(workflows, (it) => it.alert_id);
  const noticesById = Map.groupBy(notices, (it) => it.alert_id);
  const commentsById = commentsByAlert(written, records);
  return records.flatMap(({ id }) => {
    const timeline = timelineById.get(id);
    const alert = alertById.get(id) ?? (timeline && deletedAlert(timeline));
    if (alert === undefined) return [];
    return {
      ...alert,
      timeline: timeline?.details.sublogs ?? [],
      workflows: workflowsById.get(id) ?? [],
      notifications: noticesById.get(id) ?? [],
      comments: commentsById.get(id) ?? [],
    };
  });
}

const deletedAlert = ({ id, account_id, created_at, updated_at }: Log) => ({
  ...{ id, account_id, created_at, updated_at },
  deleted: true as const,
});

type Comment = AnswerNamed<"Comment">;

/** Comments by the alert at the root of their thread. Replies are younger than what they reply to. */
function commentsByAlert(
  written: readonly Comment[],
  records: readonly Removable[],
): Map<string, Comment[]> {
  const roots = new Map(records.map(({ id }) => [id, id]));
  const byAlert = new Map<string, Comment[]>();
  let waiting = written;
  // In a few passes: within one millisecond, ids are not in order.
  for (let left = -1; left !== waiting.length; ) {
    left = waiting.length;
    waiting = waiting.filter((comment) => {
      const root = roots.get(comment.commentable_id ?? "");
      if (root === undefined) return true;
      roots.set(comment.id, root);
      byAlert.set(root, [...(byAlert.get(root) ?? []), comment]);
      return false;
    });
  }
  return byAlert;
}

/** Reads request logs. */
export async function readRequestLogs(
  db: Connection,
  records: readonly Removable[],
): Promise<readonly Log[]> {
  const [found] = await batch(db, [
    shown(shownLogs, among(logEntries.accountId, logEntries.id, records)),
  ]);
  return found;
}
