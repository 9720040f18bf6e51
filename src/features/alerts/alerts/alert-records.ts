// Alerts: what a record shows (contract 3, Attributes).
import { sql } from "drizzle-orm";
import type { LatestEvent } from "../../../domain/alerts/alert.ts";
import type { Exercise } from "../../../domain/alerts/exercise.ts";
import {
  boolean,
  commonAttributes,
  hash,
  instant,
  list,
  nested,
  number,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { alerts } from "../../schema/alerts.ts";
import { routers } from "../../schema/integrations.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { narrowAlerts } from "./alert-lists.ts";
import { alertMeta } from "./alert-meta.ts";
import { urgency } from "./urgency-attribute.ts";

const latest = (name: keyof LatestEvent) =>
  sql<string | null>`${alerts.state} ->> ${sql.raw(`'$.latest.${name}'`)}`;

/** Of each instance of the sender, the names after its own. */
const memberNames = sql<readonly string[]>`(select json_group_array(name.value)
  from json_each(${alerts.state}, '$.members') as instance, json_each(instance.value) as name
  where name.key > 0)`;

export const alertRecords: Records<"Alert"> = {
  kind: "alert",
  shows: "Alert",
  from: alerts,
  accountId: alerts.accountId,
  id: alerts.id,
  prefixId: alerts.prefixId,
  attributes: {
    ...commonAttributes(alerts),
    meta: hash(alertMeta),
    title: string(alerts.title),
    description: string(alerts.description),
    status: string(alerts.status),
    urgency: urgency(alerts.urgency),
    tags: list(alerts.tags),
    tag_list: list(alerts.tags),
    source_id: string(alerts.sourceId),
    source_type: string(alerts.sourceType),
    source_log_id: string(alerts.sourceLogId),
    thirdparty_id: string(alerts.thirdpartyId),
    dedup_keys: list(alerts.dedupKeys),
    dedup_count: number(alerts.dedupCount),
    members: list(memberNames),
    latest_title: string(latest("title")),
    latest_description: string(latest("description")),
    latest_link: string(latest("link")),
    aggregated_into_id: reference(alerts.aggregatedIntoId, alerts.accountId, alerts),
    destination_team_ids: references(alerts.destinationTeamIds, alerts.accountId, teams),
    destination_router_ids: references(alerts.destinationRouterIds, alerts.accountId, routers),
    destination_account_user_ids: references(
      alerts.destinationAccountUserIds,
      alerts.accountId,
      accountUsers,
    ),
    additional_data: nested(alerts.additionalData),
    incident: boolean(alerts.incident),
    incident_severity: string(alerts.incidentSeverity),
    incident_message: string(alerts.incidentMessage),
    acknowledged_at: instant(alerts.acknowledgedAt),
    resolved_at: instant(alerts.resolvedAt),
    snoozed_until: instant(alerts.snoozedUntil),
    exercise: string(sql<Exercise | null>`${alerts.state} ->> 'exercise'`),
    merged_into_id: reference(alerts.mergedIntoId, alerts.accountId, alerts),
  },
  search: [alerts.title, alerts.description, alerts.tags, alerts.thirdpartyId, alerts.sourceId],
  total: [alerts],
  datedById: true,
  narrow: narrowAlerts,
};
