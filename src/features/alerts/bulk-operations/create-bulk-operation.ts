import type { PersonActor } from "../../../domain/access/actor.ts";
import { MAX_BULK_ALERTS } from "../../../domain/alerts/bulk-operation.ts";
import { MAX_MERGED } from "../../../domain/alerts/merge.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { all } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { bulkOperations } from "../../schema/alert-lists.ts";
import { teams } from "../../schema/oncall.ts";
import { bulkOperationObject } from "../../stubs.ts";
import { alertsOfTeam } from "../alerts/alert-lists.ts";
import { alertRecords } from "../alerts/alert-records.ts";
import { type AlertList, readAlertList } from "../alerts/alert-scope.ts";
import { type MergeableAlert, selectMergeable } from "../alerts/merge-rows.ts";
import { actionFaults, bulkReferences, commandOf, shownParameters } from "./bulk-actions.ts";
import type { BulkOperation } from "./contract.ts";
import type { CreateBulkOperation } from "./parameters.ts";
import { bulkOperationRecords, selectMatchingIds } from "./rows.ts";

/** The parameters of a list that choose a page of it; all pages are taken. */
const OF_PAGES = ["limit", "offset", "page", "sort", "direction"];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const isParameter = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value);

/** The filter as the query of the list; its faults are named by `filter`. */
export function readBulkFilter(
  filter: CreateBulkOperation["filter"],
  caller: Pick<PersonActor, "accountId" | "accountUserId">,
): AlertList | Refusal {
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
  const read = readAlertList(query, caller);
  if (!isRefusal(read)) return read;
  return refuseFields(
    read.errors.map(({ field, message }) => ({
      field: field ? `filter.${field}` : "filter",
      message: `filter: ${message}`,
    })),
  );
}

const INTO = "into_alert_id";

/** Why alerts cannot be merged into this one, if it is named. */
function leaderFaults(
  { action, into_alert_id }: CreateBulkOperation,
  leader: MergeableAlert | undefined,
): readonly FieldError[] {
  if (!into_alert_id) return [];
  if (leader === undefined) return [{ field: INTO, message: `${INTO}: no such alert` }];
  if (action !== "merge" || leader.status !== "resolved") return [];
  return [{ field: INTO, message: `${INTO}: the alert is resolved` }];
}

/** An alert lists what was merged into it, and no more than that. */
const TOO_MANY_TO_MERGE = refuse(
  "invalid",
  `filter: more than ${MAX_MERGED} alerts match, and an alert can have no more merged into it`,
  "filter",
);

/**
 * Starts a bulk operation: takes the alerts that match now, and has its object command each of them
 * as the actor.
 *
 * @param id the ULID of the new operation
 * @returns the operation; 422 for an unknown filter or team, for what the action takes, and for too
 *   many alerts to merge
 */
export async function createBulkOperation(
  context: Context<PersonActor>,
  id: string,
  body: CreateBulkOperation,
): Promise<BulkOperation | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId, accountUserId, name } = actor;
  const { action, filter } = body;
  const list = readBulkFilter(filter, actor);
  const isMerge = action === "merge";
  const reads = body.into_alert_id
    ? [selectMergeable(accountId, parseIdentifier("alert", body.into_alert_id))]
    : [];
  const { resolved, rows } = await resolveWith(db, accountId, bulkReferences(body), reads);
  const leader = rows[0]?.[0];
  const command = commandOf(body, leader?.id ?? null);
  const faults = [
    ...(isRefusal(list) ? list.errors : []),
    ...(resolved.ok ? [] : resolved.errors),
    ...actionFaults(body, now),
    ...leaderFaults(body, leader),
  ];
  if (isRefusal(list) || !resolved.ok || command === null || faults.length > 0) {
    return refuseFields(faults);
  }
  const [teamId = null] = resolved.idsOf("team_id");
  const matched = teamId === null ? list : { ...list, records: recordsOfTeam(accountId, teamId) };
  // One more than can be merged shows that there are more; the leader may be among them.
  const most = isMerge ? MAX_MERGED + 2 : MAX_BULK_ALERTS;
  const matching = await all(db, selectMatchingIds(matched, accountId, most));
  const alertIds = matching.map((alert) => alert.id).filter((it) => !isMerge || it !== leader?.id);
  if (isMerge && alertIds.length > MAX_MERGED) return TOO_MANY_TO_MERGE;
  const isEmpty = alertIds.length === 0;
  const row = {
    ...newIdentity("bulk_operation", now, id),
    accountId,
    accountUserId,
    meta: body.meta ?? {},
    action,
    teamId,
    filter,
    parameters: shownParameters(body, resolved, leader?.id ?? null),
    status: isEmpty ? ("finished" as const) : ("queued" as const),
    totalCount: alertIds.length,
    finishedAt: isEmpty ? now : null,
  };
  const object = bulkOperationObject(env, row.prefixId);
  // The object is called before the write: if this worker fails after the write, it still works.
  if (!isEmpty) {
    const by = { accountUserId, name };
    const apiKeyId = actor.kind === "key" ? actor.credentialId : null;
    await object.expect({ id, accountId, action: command, by, apiKeyId, alertIds });
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
