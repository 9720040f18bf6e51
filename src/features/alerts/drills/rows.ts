// Fire drills with their reports: read from the drill's alert and its notifications.
import { type SQL, sql } from "drizzle-orm";
import type { Exercise } from "../../../domain/alerts/exercise.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { DAY, formatInstant, HOUR } from "../../../domain/shared/time.ts";
import {
  hash,
  instant,
  nestedAs,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { alerts, exercises, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accounts, accountUsers, users } from "../../schema/people.ts";
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

/** Longer than alerts are retained, unless that is configured otherwise. */
const RETENTION_MS = 400 * DAY;

/** The admins whom a drill's end is reported to, at most. */
const MAX_ADMINS = 20;

export type NewExercise = {
  readonly accountId: string;
  readonly alertId: string;
  readonly kind: Exercise;
  /** An account user. */
  readonly startedById: string;
  readonly teamId: string | null;
};

/**
 * Notes an exercise unless too many of its kind were started in the last hour: of a drill, for its
 * team; of a test page, by its person. Deletes old notes. Safe to repeat.
 *
 * @param now epoch ms
 */
export function noteExercise(it: NewExercise, perHour: number, now: number): SQL[] {
  const mine = sql`select count(*) from ${exercises} where account_id = ${it.accountId}
    and alert_id >= ${firstIdentifierAt(now - HOUR)} and kind = ${it.kind}
    and ${it.teamId === null ? sql`started_by_id = ${it.startedById}` : sql`team_id = ${it.teamId}`}`;
  return [
    sql`delete from ${exercises} where account_id = ${it.accountId}
      and alert_id < ${firstIdentifierAt(now - RETENTION_MS)}`,
    sql`insert into ${exercises} (account_id, alert_id, kind, started_by_id, team_id)
      select ${it.accountId}, ${it.alertId}, ${it.kind}, ${it.startedById}, ${it.teamId}
        where (${mine}) < ${perHour}
      on conflict do nothing`,
  ];
}

/** Selects the note of an exercise; none if the limit refused it. */
export const selectExercise = ({ accountId, alertId }: NewExercise) =>
  select(
    { alertId: exercises.alertId },
    sql`from ${exercises} where ${exercises.accountId} = ${accountId}
      and ${exercises.alertId} = ${alertId}`,
  );

/** Selects the team of a drill. */
export const selectDrilledTeam = (accountId: string, team: Identifier) =>
  select(
    { id: teams.id, name: teams.name },
    sql`from ${teams} where ${oneRecord(teams, accountId, team)}`,
  );

/** Selects the account's admins, for the report of a drill. */
export const selectReportedAdmins = (accountId: string) =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.admin} and ${accountUsers.state} = 'active'
      order by ${accountUsers.id} limit ${MAX_ADMINS}`,
  );

/** Selects in whose name a standby drills: the admin who asked for it, else the account's first. */
export const selectDrillAdmin = (accountId: string, byId: string | null) =>
  select(
    { id: accountUsers.id, name: users.name },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.admin}
        and ${accountUsers.state} = 'active' order by ${accountUsers.id} = ${byId} desc, ${accountUsers.id} limit 1`,
  );

/** Selects the accounts that a standby drills each month: a page of theirs has been answered before. */
export const selectDrilledAccounts = select(
  {
    id: accounts.id,
    /** Of its first admin. */
    timeZone: sql<string>`coalesce((select ${users.timeZone} from ${accountUsers}
      join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accounts.id} and ${accountUsers.admin}
        and ${accountUsers.state} = 'active' order by ${accountUsers.id} limit 1), 'UTC')`,
  },
  sql`from ${accounts} where ${accounts.pageAnsweredAt} is not null
    and exists (select 1 from ${teams} where ${teams.accountId} = ${accounts.id})`,
);
