// Rows of announcements: which integrations of an account announce its events, and the deliveries queued for them.
import { type SQL, sql } from "drizzle-orm";
import type { Announcement, AnnouncementTarget } from "../../domain/integrations/announcement.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { newIdentity } from "../../kernel/db/identifiers.ts";
import { parsed, type Select, select } from "../../kernel/db/select.ts";
import { deliveries, integrationReceivers, integrations } from "../schema/integrations.ts";

type ReceiverType = "team" | "router" | "account_user";

/** The ids of an integration's receivers of one type, as an ordered JSON list. */
export const receiversOfIntegration = (type: ReceiverType) =>
  sql<
    readonly string[]
  >`(select json_group_array(receiver_id order by position) from ${integrationReceivers}
    where ${integrationReceivers.integrationId} = ${integrations.id}
      and ${integrationReceivers.receiverType} = ${type})`;

/** The ids of an integration's receivers of every type. */
export const allReceiversOfIntegration = parsed<IntegrationConfiguration["receivers"]>(
  sql`json_object('teamIds', json(${receiversOfIntegration("team")}),
    'routerIds', json(${receiversOfIntegration("router")}),
    'accountUserIds', json(${receiversOfIntegration("account_user")}))`,
);

const targetColumns = {
  id: integrations.id,
  prefixId: integrations.prefixId,
  type: integrations.integrationType,
  options: integrations.options,
  audience: allReceiversOfIntegration,
};

/** Selects the enabled integrations of these types in an account. */
export const selectAnnouncementTargets = (
  accountId: string,
  types: readonly string[],
): Select<AnnouncementTarget> =>
  select(
    targetColumns,
    sql`from ${integrations} where ${integrations.accountId} = ${accountId}
      and ${integrations.enabled} = 1
      and ${integrations.integrationType} in (select value from json_each(${JSON.stringify(types)}))`,
  );

export type PlannedDelivery = {
  /** Its ULID, if the caller needs to know it. */
  readonly id?: string;
  readonly integrationId: string;
  readonly announcement: Announcement;
};

/** The content stored in a delivery's row. */
export type StoredContent = Pick<Announcement, "payload" | "trail">;

/** Queues deliveries if `isThere`; existing ones, queued or finished, do not change. */
export function insertDeliveries(
  accountId: string,
  planned: readonly PlannedDelivery[],
  now: number,
  isThere: SQL = sql`true`,
): SQL {
  const rows = planned.map(({ id: given, integrationId, announcement }) => {
    const { effectId, event, alertId, lane, at, sequence, payload, trail } = announcement;
    const { id, prefixId } = newIdentity("delivery", now, given);
    const content = { payload, trail } satisfies StoredContent;
    return { id, prefixId, integrationId, effectId, event, alertId, lane, at, sequence, content };
  });
  return sql`insert into ${deliveries} (id, prefix_id, created_at, updated_at, account_id, integration_id,
      effect_id, event, alert_id, lane, happened_at, sequence, said, queued_at, next_at)
    select value->>'id', value->>'prefixId', ${now}, ${now}, ${accountId}, value->>'integrationId',
      value->>'effectId', value->>'event', value->>'alertId', value->>'lane', value->>'at',
      value->>'sequence', value->'content', ${now}, ${now}
    from json_each(${JSON.stringify(rows)})
    where value->>'integrationId' in (select ${integrations.id} from ${integrations}
      where ${integrations.accountId} = ${accountId}) and ${isThere}
    on conflict (integration_id, effect_id) do nothing`;
}
