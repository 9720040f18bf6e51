// What a bulk operation reads and writes: the alerts that match, their state before a step, and the
// progress.
import { type SQL, sql } from "drizzle-orm";
import type { BulkProgress } from "../../../domain/alerts/bulk-operation.ts";
import type { ListQuery } from "../../../kernel/db/list-query.ts";
import { type Records, selectMatching } from "../../../kernel/db/records.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { alerts } from "../../schema/alerts.ts";
import { accounts, accountUsers, apiKeys } from "../../schema/people.ts";

/** Selects the ids of the alerts that match and are not resolved, the newest first. */
export const selectMatchingIds = (
  records: Records<"Alert">,
  accountId: string,
  query: ListQuery,
  most: number,
) =>
  select(
    { id: alerts.id },
    selectMatching(records, accountId, query, sql`${alerts.status} <> 'resolved'`, most),
  );

/** Selects alerts as a step finds them. */
export const selectBulkAlerts = (accountId: string, ids: readonly string[]) =>
  select(
    {
      id: alerts.id,
      status: alerts.status,
      acknowledgedAt: alerts.acknowledgedAt,
      resolvedAt: alerts.resolvedAt,
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
