// Bulk operations: what a record shows.
import { type SQL, sql } from "drizzle-orm";
import type { BulkProgress } from "../../../domain/alerts/bulk-operation.ts";
import { hash, nested, reference } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { selectMatching } from "../../../kernel/db/record-lists.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { alerts } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accounts, accountUsers, apiKeys } from "../../schema/people.ts";
import type { AlertList } from "../alerts/alert-scope.ts";
import type { BulkRefusal } from "./contract.ts";

const { accountId } = bulkOperations;

const refusals = sql<readonly BulkRefusal[]>`(select json_group_array(json_object(
    'alert_id', refusal.value ->> 'alertId',
    'title', (select ${alerts.title} from ${alerts}
      where ${alerts.accountId} = ${accountId} and ${alerts.id} = refusal.value ->> 'alertId'),
    'message', refusal.value ->> 'message'))
  from json_each(${bulkOperations.refusals}) as refusal)`;

export const bulkOperationRecords: Records<"BulkOperation"> = {
  kind: "bulk_operation",
  shows: "BulkOperation",
  from: bulkOperations,
  accountId,
  id: bulkOperations.id,
  prefixId: bulkOperations.prefixId,
  attributes: {
    ...plainAttributes("BulkOperation", bulkOperations, []),
    account_user_id: reference(bulkOperations.accountUserId, accountId, accountUsers),
    filter: hash(bulkOperations.filter),
    parameters: hash(bulkOperations.parameters),
    team_id: reference(bulkOperations.teamId, accountId, teams),
    refusals: nested(refusals),
  },
  search: [bulkOperations.action],
  total: "bulk_operations",
};

// What a bulk operation reads and writes: the alerts that match, their state before a step, and the
// progress.

/** Selects the ids of the alerts that match and are not resolved, the newest first. */
export function selectMatchingIds(
  { records, query, scope }: AlertList,
  accountId: string,
  most: number,
) {
  const isLiving = sql`${alerts.status} <> 'resolved'`;
  const matches = scope ? sql`${isLiving} and ${scope}` : isLiving;
  return select({ id: alerts.id }, selectMatching(records, accountId, query, matches, most));
}

/** When the alert last had a line in its timeline that begins so. */
const handedOffAt = (line: string) => sql<number | null>`(
  select ${alerts.createdAt} + max(value ->> 0) from json_each(${alerts.timeline})
    where instr(value ->> 1, ${line}) = 1)`;

/** Selects alerts as a step of a person finds them. */
export const selectBulkAlerts = (accountId: string, ids: readonly string[], person: string) =>
  select(
    {
      id: alerts.id,
      title: alerts.title,
      status: alerts.status,
      updatedAt: alerts.updatedAt,
      acknowledgedAt: alerts.acknowledgedAt,
      resolvedAt: alerts.resolvedAt,
      snoozedUntil: alerts.snoozedUntil,
      handedOffAt: handedOffAt(`Handed off by ${person} to `),
      mergedIntoId: alerts.mergedIntoId,
    },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.id} in (select value from json_each(${JSON.stringify(ids)}))`,
  );

/**
 * Selects the member if an ordinary request of theirs would be accepted now: their membership is
 * active, and so is the API key, if they use one.
 */
export const selectStarter = (
  accountId: string,
  accountUserId: string,
  apiKeyId: string | null,
): Select<{ id: string }> =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.id} = ${accountUserId} and ${accountUsers.state} = 'active'
      and (${apiKeyId} is null or exists (select 1 from ${apiKeys}
        where ${apiKeys.id} = ${apiKeyId} and ${apiKeys.accountUserId} = ${accountUsers.id}
          and ${apiKeys.readOnly} = 0))`,
  );

/** Selects whether the operation is written. */
export const selectBulkOperation = (accountId: string, id: string) =>
  select(
    { id: bulkOperations.id },
    sql`from ${bulkOperations} where ${bulkOperations.accountId} = ${accountId}
      and ${bulkOperations.id} = ${id}`,
  );

/** Writes the progress of an operation. */
export const writeBulkProgress = (
  accountId: string,
  id: string,
  { changed, unchanged, refused, refusals }: BulkProgress,
  isFinished: boolean,
  now: number,
): SQL =>
  sql`update ${bulkOperations} set status = ${isFinished ? "finished" : "running"},
      changed_count = ${changed}, unchanged_count = ${unchanged}, refused_count = ${refused},
      refusals = ${JSON.stringify(refusals)}, finished_at = ${isFinished ? now : null},
      updated_at = ${now}
    where account_id = ${accountId} and id = ${id}`;

/** Deletes operations from before the instant (epoch ms). */
export const deleteBulkOperations = (before: number, most: number): SQL =>
  sql`delete from ${bulkOperations} where ${bulkOperations.id} in (
    select ${bulkOperations.id} from ${accounts} cross join ${bulkOperations}
      on ${bulkOperations.accountId} = ${accounts.id} and ${bulkOperations.createdAt} < ${before}
    order by ${accounts.id}, ${bulkOperations.createdAt}, ${bulkOperations.id} limit ${most})`;
