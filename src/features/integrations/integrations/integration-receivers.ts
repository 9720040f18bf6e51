// The receivers of an integration's alerts: teams, routers and account users, in the given order.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import type { Reference, Resolved } from "../../../kernel/db/references.ts";
import { integrationReceivers, routers } from "../../schema/integrations.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { IntegrationRow } from "../inbox/integration-rows.ts";

const RECEIVERS = {
  team_ids: { type: "team", table: teams },
  router_ids: { type: "router", table: routers },
  account_user_ids: { type: "account_user", table: accountUsers },
} as const;
type ReceiverField = keyof typeof RECEIVERS;
const FIELDS = Object.keys(RECEIVERS) as ReceiverField[];

/** The ids of each parameter in the body; omitted parameters are absent. */
export type ReceiverParameters = {
  readonly [Field in ReceiverField]?: readonly string[] | undefined;
};

/** The receivers of a stored integration, as the parameters name them. */
export const receiversOf = ({ receivers }: IntegrationRow): ReceiverParameters => ({
  team_ids: receivers.teamIds,
  router_ids: receivers.routerIds,
  account_user_ids: receivers.accountUserIds,
});

/** The references of the body's receiver lists, to resolve in the account. */
export function receiverReferences(body: ReceiverParameters): Reference[] {
  return FIELDS.map((field) => ({ field, kind: RECEIVERS[field].type, ids: body[field] ?? [] }));
}

/** Requires at least one receiver after the write. */
export function missingReceivers(
  body: ReceiverParameters,
  stored: ReceiverParameters,
): FieldError[] {
  if (FIELDS.some((field) => (body[field] ?? stored[field] ?? []).length > 0)) return [];
  const message =
    "at least one of team_ids, router_ids and account_user_ids must name a destination";
  return [{ field: "team_ids", message }];
}

/** The statements that replace the lists in the body. */
export function writeReceivers(
  accountId: string,
  integrationId: string,
  body: ReceiverParameters,
  resolved: Extract<Resolved, { ok: true }>,
): SQLWrapper[] {
  return FIELDS.filter((field) => body[field] !== undefined).flatMap((field) => {
    const ids = JSON.stringify(resolved.idsOf(field));
    const { type } = RECEIVERS[field];
    return [
      assertListedReceiversExist(accountId, field, ids),
      sql`delete from ${integrationReceivers}
        where ${integrationReceivers.integrationId} = ${integrationId}
          and ${integrationReceivers.receiverType} = ${type}`,
      sql`insert into ${integrationReceivers}
          (account_id, integration_id, receiver_type, receiver_id, position)
        select ${accountId}, ${integrationId}, ${type}, value, key from json_each(${ids})`,
    ];
  });
}

/** The precondition that the receivers still exist: a deleted receiver could page nobody. */
function assertListedReceiversExist(accountId: string, field: ReceiverField, ids: string): SQL {
  const { table } = RECEIVERS[field];
  return assertPrecondition(sql`not exists (select 1 from json_each(${ids}) as named where not exists
    (select 1 from ${table} where ${table.id} = named.value and ${table.accountId} = ${accountId}))`);
}
