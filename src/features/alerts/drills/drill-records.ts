// Fire drills with their reports: read from the drill's alert and its notifications.
import { sql } from "drizzle-orm";
import { formatInstant } from "../../../domain/shared/time.ts";
import {
  hash,
  instant,
  nestedAs,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { alerts, exercises, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { alertMeta } from "../alerts/alert-meta.ts";
import type { DrillPerson } from "./contract.ts";

/** A drill that was never created as an alert has none, and is left out. */
const drills = sql`${exercises} join ${alerts} on ${alerts.accountId} = ${exercises.accountId}
  and ${alerts.id} = ${exercises.alertId} and ${exercises.kind} = 'drill'`;

const pages = sql`from ${notificationsByOwner}
  where ${notifications.accountId} = ${alerts.accountId} and ${notifications.ownerId} = ${alerts.id}
    and ${notifications.event} = 'alert.open'`;

const secondsUntil = (at: ReturnType<typeof sql>) =>
  sql<number | null>`(round((${at} - ${alerts.createdAt}) / 1000.0, 1))`;

type AskedPerson = {
  readonly id: string;
  readonly layer: number | null;
  readonly sentAt: number | null;
  readonly channels: string | null;
  readonly answer: DrillPerson["answer"];
};

const acknowledgedBy = sql<string | null>`${alerts.state} ->> '$.drill.acknowledgedBy'`;

const answerOf = sql`(case when person = ${acknowledgedBy} then 'acknowledged'
  when exists (select 1 from json_each(${alerts.workflows}) as workflow,
    json_each(workflow.value, '$.rejected') as rejected where rejected.value = person)
    then 'rejected' when sent is null then 'not_reached' else 'none' end)`;

const askedPeople = sql<readonly AskedPerson[]>`(select json_group_array(json_object('id', person,
    'layer', layer, 'sentAt', sent, 'channels', channels, 'answer', ${answerOf}) order by sent, person)
  from (select ${notifications.accountUserId} as person, min(${notifications.layer}) as layer,
    min(${notifications.sentAt}) as sent,
    group_concat(distinct iif(${notifications.sentAt} is null, null, ${notifications.channel})) as channels
    ${pages} group by ${notifications.accountUserId}))`;

const showPerson = ({ id, layer, sentAt, channels, answer }: AskedPerson): DrillPerson => ({
  account_user_id: id,
  layer,
  notified_at: sentAt === null ? null : formatInstant(sentAt),
  channels: channels === null ? [] : channels.split(","),
  answer,
});

export const drillRecords: Records<"Drill"> = {
  kind: "alert",
  shows: "Drill",
  from: drills,
  accountId: exercises.accountId,
  id: exercises.alertId,
  prefixId: alerts.prefixId,
  attributes: {
    id: string(exercises.alertId),
    prefix_id: string(alerts.prefixId),
    account_id: string(alerts.accountId),
    created_at: instant(alerts.createdAt),
    updated_at: instant(alerts.updatedAt),
    meta: hash(alertMeta),
    title: string(alerts.title),
    team_id: reference(sql<string>`${exercises.teamId}`, exercises.accountId, teams),
    started_by_id: reference(exercises.startedById, exercises.accountId, accountUsers),
    status: string(alerts.status),
    ended_at: instant(sql<number | null>`${alerts.state} ->> '$.drill.endedAt'`),
    acknowledged_by_id: reference(acknowledgedBy, exercises.accountId, accountUsers),
    seconds_to_notify: number(secondsUntil(sql`(select min(${notifications.sentAt}) ${pages})`)),
    seconds_to_acknowledge: number(secondsUntil(sql`${alerts.acknowledgedAt}`)),
    layers_reached: number(
      sql<number>`coalesce((select max(value ->> 'layer') from json_each(${alerts.workflows})), 0)`,
    ),
    people: nestedAs(askedPeople, (people) => people.map(showPerson)),
  },
  search: [alerts.title],
  datedById: true,
};
