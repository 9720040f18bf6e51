// The rows of an erasure: who is due, what is known of them, and every text in the account's tables that names them.
// Tables and columns are read from the database itself: a table that is added later is covered.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { FORMER_MEMBER, needlesOf, type Traces } from "../domain/anonymize.ts";
import type { RawRow } from "./attributes.ts";
import { isProven } from "./contact-rows.ts";
import { alerts, alertWorkflows, messageTurns, notifications } from "./schema/alerts.ts";
import { integrations } from "./schema/integrations.ts";
import { broadcastResponses, broadcasts, comments } from "./schema/messages.ts";
import { schedules, teams } from "./schema/oncall.ts";
import {
  accountUsers,
  emailLinkSends,
  phoneCodeSends,
  userEmails,
  userPhones,
  users,
} from "./schema/people.ts";
import { removedMembers } from "./schema/removed-members.ts";
import { forgetAttemptsOf } from "./sign-in-rows.ts";

export type RemovedMember = {
  readonly accountUserId: string;
  readonly accountId: string;
  readonly userId: string;
  /** How far it has come, as JSON; null before it begins. */
  readonly progress: string | null;
};

/** An erasure that was asked for counts for a removal that follows within this time (ms). */
const REQUEST_LIVES_MS = 600_000;

const hasMembership = sql`exists (select 1 from ${accountUsers}
  where ${accountUsers.userId} = ${removedMembers.userId})`;

/**
 * The first membership whose traces are to go, of those for which it was asked, and those of people who have been without any
 * membership since `before` (epoch ms).
 *
 * @param userId only this person's; null = anybody's
 * @param except memberships that are left out, by their id
 */
export function selectDue(before: number, userId: string | null, except: readonly string[]): SQL {
  return sql`select ${removedMembers.accountUserId} as account_user_id,
      ${removedMembers.accountId} as account_id, ${removedMembers.userId} as user_id,
      ${removedMembers.progress} as progress
    from ${removedMembers}
    where ${removedMembers.removedAt} is not null
      and (${userId} is null or ${removedMembers.userId} = ${userId})
      and ${removedMembers.accountUserId} not in (select value from json_each(${JSON.stringify(except)}))
      and ((${removedMembers.requestedAt} is not null
          and ${removedMembers.removedAt} <= ${removedMembers.requestedAt} + ${REQUEST_LIVES_MS}
          and not exists (select 1 from ${accountUsers}
            where ${accountUsers.accountId} = ${removedMembers.accountId}
              and ${accountUsers.userId} = ${removedMembers.userId}))
        or (not ${hasMembership} and (select max(latest.removed_at) from ${removedMembers} as latest
          where latest.user_id = ${removedMembers.userId}) < ${before}))
    order by ${removedMembers.removedAt} limit 1`;
}

export const toRemovedMember = (row: RawRow): RemovedMember => ({
  accountUserId: String(row.account_user_id),
  accountId: String(row.account_id),
  userId: String(row.user_id),
  progress: row.progress === null ? null : String(row.progress),
});

/** Notes that the traces of a membership are to be erased once it has ended, or now if it has. */
export function requestErasure(accountId: string, accountUserId: string, now: number): SQL {
  return sql`insert into ${removedMembers} (account_user_id, account_id, requested_at)
    values (${accountUserId}, ${accountId}, ${now})
    on conflict (account_user_id) do update set requested_at = excluded.requested_at
      where ${removedMembers.accountId} = ${accountId}`;
}

/** Takes the note back, where the membership did not end. */
export const withdrawRequest = (accountUserId: string): SQL =>
  sql`delete from ${removedMembers} where ${removedMembers.accountUserId} = ${accountUserId}
    and ${removedMembers.removedAt} is null`;

/** The memberships of an account, and those that have ended and are not erased yet. */
export const selectMembers = (accountId: string): SQL =>
  sql`select ${accountUsers.id} as id, ${accountUsers.userId} as user_id, 1 as is_member
      from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
    union all select ${removedMembers.accountUserId}, ${removedMembers.userId}, 0
      from ${removedMembers} where ${removedMembers.accountId} = ${accountId}
        and ${removedMembers.removedAt} is not null`;

/** What is known of the person; their name only where no other member of the account has the same. */
export function selectTraces({ accountId, userId }: RemovedMember): SQL {
  return sql`select iif(exists (select 1 from ${accountUsers} join ${users} as other
        on other.id = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId} and other.id <> ${users.id}
        and lower(other.name) = lower(${users.name})), '', ${users.name}) as name,
      (select json_group_array(${userEmails.email}) from ${userEmails}
        where ${userEmails.userId} = ${users.id}) as emails,
      (select json_group_array(${userEmails.id}) from ${userEmails}
        where ${userEmails.userId} = ${users.id}) as email_ids,
      (select json_group_array(${userPhones.phone}) from ${userPhones}
        where ${userPhones.userId} = ${users.id}) as phones
    from ${users} where ${users.id} = ${userId}`;
}

export const saveProgress = (accountUserId: string, progress: string): SQL =>
  sql`update ${removedMembers} set progress = ${progress}
    where ${removedMembers.accountUserId} = ${accountUserId}`;

/** What is known to be the person's by the membership's id, or by their addresses. */
export function erasedById({ accountId, accountUserId, addresses }: Traces): SQLWrapper[] {
  const theirs = sql`(select value from json_each(${JSON.stringify(addresses)}))`;
  return [
    sql`update ${comments} set created_by_name = ${FORMER_MEMBER}
      where ${comments.accountId} = ${accountId} and ${comments.accountUserId} = ${accountUserId}`,
    sql`update ${notifications} set "to" = null
      where ${notifications.accountId} = ${accountId}
        and ${notifications.accountUserId} = ${accountUserId} and "to" is not null`,
    sql`delete from ${messageTurns} where ${messageTurns.accountId} = ${accountId}
      and ${messageTurns.accountUserId} = ${accountUserId}`,
    sql`delete from ${emailLinkSends} where ${emailLinkSends.accountId} = ${accountId}
      and ${emailLinkSends.email} in ${theirs}`,
    sql`delete from ${phoneCodeSends} where ${phoneCodeSends.accountId} = ${accountId}
      and ${phoneCodeSends.phone} in ${theirs}`,
  ];
}

/** Contacts that only this account used. Deleted last: until then they say what is to be looked for. */
const forgetUnproven = ({ accountId, userId }: RemovedMember): SQL[] =>
  [userEmails, userPhones].map(
    (table) => sql`delete from ${table} where ${table.userId} = ${userId}
      and ${table.accountId} = ${accountId} and not ${isProven(table)}`,
  );

/**
 * The end of a membership's erasure. A person without another membership, and without traces in another account, goes
 * with it, and what they tried to sign in with; where there are such traces they are due next.
 */
export function finishErasure(
  member: RemovedMember,
  emails: readonly string[],
  now: number,
): SQLWrapper[] {
  const { accountUserId, userId } = member;
  const isAlone = sql`not exists (select 1 from ${accountUsers} where ${accountUsers.userId} = ${userId})`;
  return [
    sql`delete from ${removedMembers} where ${removedMembers.accountUserId} = ${accountUserId}`,
    ...forgetUnproven(member),
    sql`update ${removedMembers} set requested_at = ${now}
      where ${removedMembers.userId} = ${userId} and ${isAlone}`,
    sql`delete from ${users} where ${users.id} = ${userId} and ${isAlone}
      and not exists (select 1 from ${removedMembers} where ${removedMembers.userId} = ${userId})`,
    sql`${forgetAttemptsOf(userId, emails)}
      and not exists (select 1 from ${users} where ${users.id} = ${userId})`,
  ];
}

// ── Objects ──

/**
 * The objects that may hold something of a member, after one of them, in order: an object's kind and its record's id.
 * Whatever names them to somebody else waits with that person: everybody's object is among them.
 */
export function selectObjects(
  { accountId, accountUserId }: Traces,
  after: readonly [kind: string, id: string],
  most: number,
): SQL {
  const among = (list: SQLWrapper) =>
    sql`exists (select 1 from json_each(${list}) where value = ${accountUserId})`;
  const isTheirs = (table: typeof notifications | typeof broadcastResponses) =>
    sql`${table.accountId} = ${accountId} and ${table.accountUserId} = ${accountUserId}`;
  // Nested: D1 takes five terms of a compound select.
  const asking = sql`select ${notifications.alertId} as id from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.alertId} is not null
    union select ${alertWorkflows.alertId} from ${alertWorkflows}
      where ${alertWorkflows.accountId} = ${accountId}
        and (${alertWorkflows.destinationId} = ${accountUserId} or ${among(alertWorkflows.accountUserIds)})
    union select ${alerts.id} from ${alerts} where ${alerts.accountId} = ${accountId}
      and (${alerts.sourceId} = ${accountUserId} or ${among(alerts.destinationAccountUserIds)})`;
  const told = sql`select ${broadcasts.id} as id from ${broadcasts}
      where ${broadcasts.accountId} = ${accountId} and ${broadcasts.accountUserId} = ${accountUserId}
    union select ${notifications.broadcastId} from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.broadcastId} is not null
    union select ${broadcastResponses.broadcastId} from ${broadcastResponses}
      where ${isTheirs(broadcastResponses)}`;
  const onCall = sql`select 'schedule' as kind, ${schedules.id} as id from ${schedules}
      where ${schedules.accountId} = ${accountId}
    union all select 'team', ${teams.id} from ${teams} where ${teams.accountId} = ${accountId}`;
  return sql`select kind, id from (select 'alert' as kind, id from (${asking})
      union all select 'broadcast', id from (${told})
      union all select 'integration', ${integrations.id} from ${integrations}
        where ${integrations.accountId} = ${accountId}
      union all select 'person', ${accountUsers.id} from ${accountUsers}
        where ${accountUsers.accountId} = ${accountId}
      union all select kind, id from (${onCall}))
    where (kind, id) > (${after[0]}, ${after[1]}) order by kind, id limit ${most}`;
}

/** The ids of alerts that requests with these logs made. */
export const selectAlertsFrom = (accountId: string, logIds: readonly string[]): SQL =>
  sql`select ${alerts.id} as id from ${alerts} where ${alerts.accountId} = ${accountId}
    and ${alerts.sourceLogId} in (select value from json_each(${JSON.stringify(logIds)}))`;

// ── Texts ──

/** A table with an account's texts. */
export type TextTable = {
  readonly name: string;
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /** Whether each row is a person's (`user_id`): theirs are shared between accounts, and leave with the person. */
  readonly isPersonal: boolean;
};

/** Members' own rows and people's contacts, which other accounts use, and what erasures are done by. */
const SPARED: readonly string[] = [
  "account_users",
  "user_emails",
  "user_phones",
  "removed_members",
  "list_totals",
];

export const selectColumns = sql`select owner.name as "table", held.name as "column",
    held.type as type, held.pk as pk
  from sqlite_master as owner, pragma_table_info(owner.name) as held
  where owner.type = 'table' and substr(owner.name, 1, 7) <> 'sqlite_'
    and substr(owner.name, 1, 4) <> '_cf_' and substr(owner.name, 1, 3) <> 'd1_'
  order by owner.name, held.pk`;

/** The tables in which an account's rows have texts, in order. */
export function toTextTables(rows: readonly RawRow[]): TextTable[] {
  const byTable = Map.groupBy(rows, (row) => String(row.table));
  return [...byTable].flatMap(([name, columns]) => {
    if (SPARED.includes(name) || !columns.some((it) => it.column === "account_id")) return [];
    const namesOf = (some: readonly RawRow[]) => some.map((it) => String(it.column));
    const keys = namesOf(columns.filter((it) => Number(it.pk) > 0));
    const isText = (it: RawRow) => /text|char|clob|json/i.test(String(it.type)) || it.type === "";
    const texts = namesOf(columns.filter(isText)).filter((it) => it !== "account_id");
    if (texts.length === 0) return [];
    const isPersonal = columns.some((it) => it.column === "user_id");
    return [{ name, keys: keys.length > 0 ? keys : ["rowid"], texts, isPersonal }];
  });
}

const list = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
const values = (given: readonly unknown[]) =>
  sql.join(
    given.map((it) => sql`${it}`),
    sql`, `,
  );

/** The next rows of a table after a key: the last key of them, and those that may name the person. */
export function selectNaming(
  { name, keys, texts, isPersonal }: TextTable,
  traces: Traces,
  userId: string,
  after: readonly unknown[] | null,
  most: number,
): readonly [SQL, SQL] {
  const table = sql.identifier(name);
  const later = after === null ? sql`` : sql`where (${list(keys)}) > (${values(after)})`;
  const order = (direction: SQL) =>
    sql.join(
      keys.map((key) => sql`${sql.identifier(key)} ${direction}`),
      sql`, `,
    );
  const chunk = (columns: SQL) =>
    sql`(select ${columns} from ${table} ${later} order by ${order(sql`asc`)} limit ${most})`;
  const all = sql.join(
    texts.map((text) => sql`coalesce(${sql.identifier(text)}, '')`),
    sql` || char(10) || `,
  );
  const columns = keys[0] === "rowid" ? sql`rowid, *` : sql`*`;
  const needles = JSON.stringify(needlesOf(traces));
  return [
    sql`select ${list(keys)} from ${chunk(list(keys))} order by ${order(sql`desc`)} limit 1`,
    sql`select * from ${chunk(columns)} where account_id = ${traces.accountId}
      and ${isPersonal ? sql`user_id is not ${userId}` : sql`true`}
      and exists (select 1 from json_each(${needles}) as needle
        where instr(lower(${all}), needle.value) > 0)`,
  ];
}

/** Rewrites texts of one row that are still as they were read. */
export function rewriteRow(
  { name, keys }: TextTable,
  row: RawRow,
  changed: Readonly<Record<string, string>>,
): SQL {
  const columns = Object.keys(changed);
  const set = columns.map((column) => sql`${sql.identifier(column)} = ${changed[column]}`);
  const same = [...keys, ...columns].map((it) => sql`${sql.identifier(it)} is ${row[it]}`);
  return sql`update or replace ${sql.identifier(name)} set ${sql.join(set, sql`, `)}
    where ${sql.join(same, sql` and `)}`;
}
