import type { PersonActor } from "../../../domain/access/actor.ts";
import { MAX_BULK_ALERTS } from "../../../domain/alerts/bulk-operation.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { type ListQuery, readListQuery } from "../../../kernel/db/list-query.ts";
import { type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { type Reference, resolveReferences } from "../../../kernel/db/references.ts";
import { all } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { teams } from "../../schema/oncall.ts";
import { bulkOperationObject } from "../../stubs.ts";
import { ALERT_ALIASES, alertsOfTeam } from "../alerts/alert-lists.ts";
import { alertRecords } from "../alerts/alert-records.ts";
import type { BulkOperation } from "./contract.ts";
import type { CreateBulkOperation } from "./parameters.ts";
import { bulkOperationRecords, selectMatchingIds } from "./rows.ts";

/** The parameters of a list that choose a page of it; all pages are taken. */
const OF_PAGES = ["limit", "offset", "page", "sort", "direction"];

/** The team, as a refusal names it if there is none. */
export const bulkReferences = ({ team_id }: Partial<CreateBulkOperation>): readonly Reference[] =>
  team_id ? [{ field: "team_id", kind: "team", ids: [team_id] }] : [];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isParameter = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value);

/** The filter as the query of the list; its faults are named by `filter`. */
export function readBulkFilter(filter: CreateBulkOperation["filter"]): ListQuery | Refusal {
  const wrong = Object.keys(filter).filter((name) => !listOf(filter[name]).every(isParameter));
  if (wrong.length > 0) {
    return refuseFields(
      wrong.map((name) => ({
        field: `filter.${name}`,
        message: `filter: ${name} must be a value or a list of values`,
      })),
    );
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    for (const item of listOf(value)) query.append(name, String(item));
  }
  for (const name of OF_PAGES) query.delete(name);
  if (!query.has("status")) {
    // Resolved alerts never match; the filter says so to the index.
    query.append("status", "resolved");
    query.append("ops", "status:ne");
  }
  const read = readListQuery(query, alertRecords.attributes, ALERT_ALIASES);
  if (!isRefusal(read)) return read;
  return refuseFields(
    read.errors.map(({ field, message }) => ({
      field: field ? `filter.${field}` : "filter",
      message: `filter: ${message}`,
    })),
  );
}

/**
 * Starts a bulk operation: takes the alerts that match now, and has its object answer each of them
 * as the actor.
 *
 * @param id the ULID of the new operation
 * @returns the operation; 422 for an unknown filter or team
 */
export async function createBulkOperation(
  context: Context<PersonActor>,
  id: string,
  body: CreateBulkOperation,
): Promise<BulkOperation | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId, accountUserId, name } = actor;
  const { action, filter } = body;
  const query = readBulkFilter(filter);
  const resolved = await resolveReferences(db, accountId, bulkReferences(body));
  const faults = [
    ...(isRefusal(query) ? query.errors : []),
    ...(resolved.ok ? [] : resolved.errors),
  ];
  if (isRefusal(query) || !resolved.ok) return refuseFields(faults);
  const [teamId = null] = resolved.idsOf("team_id");
  const records = teamId === null ? alertRecords : recordsOfTeam(accountId, teamId);
  const matching = await all(db, selectMatchingIds(records, accountId, query, MAX_BULK_ALERTS));
  const alertIds = matching.map((alert) => alert.id);
  const isEmpty = alertIds.length === 0;
  const row = {
    ...newIdentity("bulk_operation", now, id),
    accountId,
    accountUserId,
    meta: body.meta ?? {},
    action,
    teamId,
    filter,
    status: isEmpty ? ("finished" as const) : ("queued" as const),
    totalCount: alertIds.length,
    finishedAt: isEmpty ? now : null,
  };
  const object = bulkOperationObject(env, row.prefixId);
  // The object is called before the write: if this worker fails after the write, it still works.
  if (!isEmpty) {
    const by = { accountUserId, name };
    const apiKeyId = actor.kind === "key" ? actor.credentialId : null;
    await object.expect({ id, accountId, action, by, apiKeyId, alertIds });
  }
  const writes = [build.insert(bulkOperations).values(row)];
  const change = { verb: "create", records: bulkOperationRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  if (!isEmpty) context.waitUntil(object.start());
  return after ?? notFound("bulk_operation");
}

/** The alerts of a team, as its list has them. */
const recordsOfTeam = (accountId: string, teamId: string): Records<"Alert"> => {
  const team = selectId(recordsIn("team", teams), accountId, { form: "id", value: teamId });
  return { ...alertRecords, narrow: (_, filters) => alertsOfTeam(accountId, team, filters) };
};
