// Deletes records that others may refer to. Answers 409 with one error per reference while an
// integration, a router or an unfinished alert refers to the record, so that no alert loses its
// last receiver; all other references are removed (contract 2, Deletion).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { RawRow } from "../../db/records/attributes.ts";
import { identified, type Whereabouts } from "../../db/records/records.ts";
import { alerts, alertWorkflows } from "../../db/schema/alerts.ts";
import { integrationReceivers, integrations, routers } from "../../db/schema/integrations.ts";
import { escalationReassignments, teams } from "../../db/schema/oncall.ts";
import { type Connection, statement } from "../../db/shared/database.ts";
import { assertPrecondition, isPreconditionFailed } from "../../db/shared/precondition.ts";
import type { AlertStatus } from "../../domain/alerts/alert.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, nothing } from "../../http/answers.ts";
import { notFound, pathIdentifier } from "../../http/records.ts";
import type { ApiRequest } from "../../http/route.ts";

const UNFINISHED: readonly AlertStatus[] = ["queued", "open", "acknowledged", "dropped"];
const MOST_NAMED = 5;

const CHANGED = refuse(
  "conflict",
  "the record was changed at the same time; read it and try again",
);

const message = (kind: string, prefixId: SQLWrapper, name: SQLWrapper) =>
  sql`${`still in use by the ${kind} `} || ${prefixId} || ' (' || substr(${name}, 1, 80) || ')' as message`;

const byIntegrations = (accountId: string): SQL =>
  sql`select ${message("integration", integrations.prefixId, integrations.name)}
    from ${integrationReceivers}
      join ${integrations} on ${integrations.id} = ${integrationReceivers.integrationId}
    where ${integrationReceivers.accountId} = ${accountId}
      and ${integrationReceivers.receiverId} = (select id from target)
    limit ${MOST_NAMED}`;

/**
 * A router's rules name receivers by either form of the identifier. A text search is enough: no
 * other text looks like an identifier.
 */
const byRouters = (accountId: string): SQL =>
  sql`select ${message("router", routers.prefixId, routers.name)}
    from ${routers}, target where ${routers.accountId} = ${accountId}
      and (${routers.defaultReceiverId} = target.id or instr(upper(${routers.rules}), target.id) > 0
        or instr(${routers.rules}, target.prefix_id) > 0)
    limit ${MOST_NAMED}`;

const byAlertsTo = (accountId: string, destinations: SQL): SQL =>
  sql`select ${message("alert", alerts.prefixId, alerts.title)}
    from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.status} in (select value from json_each(${JSON.stringify(UNFINISHED)}))
      and (exists (select 1 from ${alertWorkflows} where ${alertWorkflows.accountId} = ${accountId}
          and ${alertWorkflows.alertId} = ${alerts.id}
          and ${alertWorkflows.destinationId} in (${destinations}))
        or exists (select 1 from json_each(${alerts.destinationTeamIds}) as named
          where named.value in (${destinations}))
        or exists (select 1 from json_each(${alerts.destinationAccountUserIds}) as named
          where named.value in (${destinations})))
    limit ${MOST_NAMED}`;

/** References to a record that alerts can be sent to: a team or an account user. */
export const usesOfReceiver = (accountId: string): SQL[] => [
  byIntegrations(accountId),
  byRouters(accountId),
  byAlertsTo(accountId, sql`select id from target`),
];

/** Removes a receiver from the reassignments of escalation policies; the other receivers stay. */
export const dropReassignments = (accountId: string, receiverId: string): SQL =>
  sql`delete from ${escalationReassignments}
    where ${escalationReassignments.accountId} = ${accountId}
      and ${escalationReassignments.receiverId} = ${receiverId}`;

/** References to a record through the teams that use it: the unfinished alerts of those teams. */
export const usesThroughTeams = (
  accountId: string,
  column: typeof teams.scheduleId | typeof teams.escalationPolicyId,
): SQL[] => {
  const destinations = sql`select ${teams.id} from ${teams}
    where ${teams.accountId} = ${accountId} and ${column} = (select id from target)`;
  return [byAlertsTo(accountId, destinations)];
};

/**
 * Deletes the record in the path and its dependents in one batch.
 *
 * @param reasons selects of a `message` each; every row prevents the deletion. They read the
 *   record's `id` and `prefix_id` from `target`
 * @param deletes returns the statements to run for the record's id
 */
export async function deleteUnless(
  request: ApiRequest,
  place: Whereabouts,
  reasons: readonly SQL[],
  deletes: (id: string) => readonly SQLWrapper[],
): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, place.kind);
  if (isRefusal(identifier)) return identifier;
  return deleteTarget(db, place, { accountId: actor.accountId, identifier }, reasons, deletes);
}

/** `deleteUnless` for a record that no path names. */
export async function deleteTarget(
  db: Connection,
  place: Whereabouts,
  { accountId, identifier }: { readonly accountId: string; readonly identifier: Identifier },
  reasons: readonly SQL[],
  deletes: (id: string) => readonly SQLWrapper[],
): Promise<Answer> {
  const target = sql`select ${place.id} as id, ${place.prefixId} as prefix_id from ${place.from}
    where ${place.accountId} = ${accountId} and ${identified(place, identifier)}`;
  const all = reasons.map((reason) => sql`select * from (${reason})`);
  const refusals = sql`with target as (${target}) ${sql.join(all, sql` union all `)}`;
  const [refused, found] = await db.batch<RawRow>([statement(db, refusals), statement(db, target)]);
  const row = found?.results[0];
  if (!row) return notFound(place.kind);
  const errors = refused?.results.map((reason) => ({ message: String(reason.message) })) ?? [];
  if (errors.length > 0) return { kind: "refusal", reason: "conflict", errors };
  return runDeletes(db, [
    assertPrecondition(sql`not exists (${refusals})`),
    ...deletes(String(row.id)),
  ]);
}

async function runDeletes(db: Connection, writes: readonly SQLWrapper[]): Promise<Answer> {
  try {
    await db.batch(writes.map((query) => statement(db, query)));
    return nothing;
  } catch (error) {
    if (!isPreconditionFailed(error)) throw error;
    return CHANGED;
  }
}
