// Deletes records that others may refer to. Answers 409 with one error per reference while an
// integration, a router or an unfinished alert refers to the record, so that no alert loses its
// last receiver; all other references are removed (contract 2, Deletion).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AlertStatus } from "../../domain/alerts/alert.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../domain/shared/refusal.ts";
import { identified } from "../../kernel/db/identified.ts";
import { assertPrecondition } from "../../kernel/db/precondition.ts";
import { type Records, selectRecord } from "../../kernel/db/records.ts";
import { batch, select } from "../../kernel/db/select.ts";
import type { AnswerName } from "../answers.ts";
import { alertDestinations, alerts } from "../schema/alerts.ts";
import {
  integrationReceivers,
  integrations,
  routerReceivers,
  routers,
} from "../schema/integrations.ts";
import { escalationReassignments, teams } from "../schema/oncall.ts";
import type { Decision, OnCallEffect } from "./change.ts";
import type { Context } from "./context.ts";

const UNFINISHED: readonly AlertStatus[] = ["queued", "open", "acknowledged", "dropped"];
const MOST_NAMED = 5;

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

const byUnfinishedAlerts = (accountId: string, refers: SQL): SQL =>
  sql`select ${message("alert", alerts.prefixId, alerts.title)}
    from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.status} <> 'resolved' and ${alerts.status} in (select value from json_each(${JSON.stringify(UNFINISHED)}))
      and ${refers}
    limit ${MOST_NAMED}`;

const byAlertsTo = (accountId: string, destinations: SQL): SQL =>
  byUnfinishedAlerts(
    accountId,
    sql`exists (select 1 from ${alertDestinations} where ${alertDestinations.accountId} = ${accountId}
      and ${alertDestinations.destinationId} in (${destinations})
      and ${alertDestinations.alertId} = ${alerts.id})`,
  );

/** References to a record that alerts can be sent to: a team or an account user. */
export const selectReferencesToReceiver = (accountId: string): SQL[] => [
  byIntegrations(accountId),
  byRouters(accountId),
  byAlertsTo(accountId, sql`select id from target`),
];

const byOtherRouters = (accountId: string): SQL =>
  sql`select ${message("router", routers.prefixId, routers.name)}
    from ${routers}, target where ${routers.accountId} = ${accountId} and ${routers.id} <> target.id
      and (${routers.defaultReceiverId} = target.id or exists (select 1 from ${routerReceivers}
        where ${routerReceivers.routerId} = ${routers.id} and ${routerReceivers.receiverId} = target.id))
    limit ${MOST_NAMED}`;

/** References to a router: integrations, other routers and unfinished alerts. */
export const selectReferencesToRouter = (accountId: string): SQL[] => [
  byIntegrations(accountId),
  byOtherRouters(accountId),
  byUnfinishedAlerts(
    accountId,
    sql`exists (select 1 from json_each(${alerts.destinationRouterIds}) as named
      where named.value = (select id from target))`,
  ),
];

/** Removes a receiver from the reassignments of escalation policies; the other receivers stay. */
export const dropReassignments = (accountId: string, receiverId: string): SQL =>
  sql`delete from ${escalationReassignments}
    where ${escalationReassignments.accountId} = ${accountId}
      and ${escalationReassignments.receiverId} = ${receiverId}`;

/** References to a record through the teams that use it: the unfinished alerts of those teams. */
export const selectReferencesThroughTeams = (
  accountId: string,
  column: typeof teams.scheduleId | typeof teams.escalationPolicyId,
): SQL[] => {
  const destinations = sql`select ${teams.id} from ${teams}
    where ${teams.accountId} = ${accountId} and ${column} = (select id from target)`;
  return [byAlertsTo(accountId, destinations)];
};

type Deletion = {
  /**
   * Selects of a `message` each; every row prevents the deletion. They read the record's `id` and
   * `prefix_id` from `target`.
   */
  readonly reasons: readonly SQL[];
  /**
   * The statements to run for the record's id. If a precondition of theirs fails, the deletion is
   * decided again.
   */
  readonly deletes: (id: string) => readonly SQLWrapper[] | Promise<readonly SQLWrapper[]>;
  /** For the record's id, a select of the ids of the events that the deletion changes. */
  readonly touches?: (id: string) => SQL;
  /** For the record's id: what the deletion does to who is on call. Read only for a preview. */
  readonly effect?: (id: string) => Promise<OnCallEffect>;
};

/**
 * Decides the deletion of a record and its dependents.
 *
 * @returns the change; 404; 409 with one error per reason
 */
export async function deleteRecord<Name extends AnswerName>(
  context: Context,
  records: Records<Name>,
  identifier: Identifier,
  { reasons, deletes, touches, effect }: Deletion,
): Promise<Decision<Name, null> | Refusal> {
  const { db, actor } = context;
  const { accountId } = actor;
  const target = sql`select ${records.id} as id, ${records.prefixId} as prefix_id
    from ${records.from}
    where ${records.accountId} = ${accountId} and ${identified(records, identifier)}`;
  const all = reasons.map((reason) => sql`select * from (${reason})`);
  const refusals = sql`with target as (${target}) ${sql.join(all, sql` union all `)}`;
  const ids = select({ id: sql<string>`id` }, sql`from (${target})`);
  const reasonsGiven = select({ message: sql<string>`message` }, sql`from (${refusals})`);
  const [refused, [found], [before]] = await batch(db, [
    reasonsGiven,
    ids,
    selectRecord(records, accountId, identifier),
  ]);
  if (!found || !before) return notFound(records.kind);
  if (refused.length > 0) return { kind: "refusal", reason: "conflict", errors: refused };
  const isFree = assertPrecondition(sql`not exists (${refusals})`);
  const writes = [isFree, ...(await deletes(found.id))];
  return {
    verb: "delete",
    records,
    id: found.id,
    before,
    writes,
    ...(touches && { touches: touches(found.id) }),
    ...(effect && { effect: () => effect(found.id) }),
    answer: () => null,
  };
}
