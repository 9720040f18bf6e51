// Rows of an erasure: due members, their known traces, and every text in the account's tables that
// names them. Tables and columns are read from the schema, so that new tables are covered.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { FORMER_MEMBER, type PersonTraces, searchTermsOf } from "../../domain/people/anonymize.ts";
import { deleteAttemptsOf } from "../access/sign-in-rows.ts";
import type { RawRow } from "../records/attributes.ts";
import { alerts, alertWorkflows, messageTurns, notifications } from "../schema/alerts.ts";
import { integrations } from "../schema/integrations.ts";
import { broadcastResponses, broadcasts, comments } from "../schema/messages.ts";
import { schedules, teams } from "../schema/oncall.ts";
import {
  accountUsers,
  emailLinkSends,
  phoneCodeSends,
  userEmails,
  userPhones,
  users,
} from "../schema/people.ts";
import { removedMembers } from "../schema/removed-members.ts";
import { isProven } from "./contact-rows.ts";

export type RemovedMember = {
  readonly accountUserId: string;
  readonly accountId: string;
  readonly userId: string;
  /** Progress as JSON; null before it begins. */
  readonly progress: string | null;
};

/** A requested erasure applies to a removal within this time (ms). */
const REQUEST_LIVES_MS = 600_000;

const hasMembership = sql`exists (select 1 from ${accountUsers}
  where ${accountUsers.userId} = ${removedMembers.userId})`;

/**
 * Selects the first ended membership due for erasure: requested ones, and those of people without
 * any membership since `before` (epoch ms).
 *
 * @param userId only this person's; null = anyone's
 * @param except ids of memberships to leave out
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

/** Requests the erasure of a membership's traces: when it ends, or now if it has ended. */
export function requestErasure(accountId: string, accountUserId: string, now: number): SQL {
  return sql`insert into ${removedMembers} (account_user_id, account_id, requested_at)
    values (${accountUserId}, ${accountId}, ${now})
    on conflict (account_user_id) do update set requested_at = excluded.requested_at
      where ${removedMembers.accountId} = ${accountId}`;
}

/** Withdraws the request if the membership did not end. */
export const withdrawRequest = (accountUserId: string): SQL =>
  sql`delete from ${removedMembers} where ${removedMembers.accountUserId} = ${accountUserId}
    and ${removedMembers.removedAt} is null`;

/** Selects the memberships of an account, and ended ones that are not erased yet. */
export const selectMembers = (accountId: string): SQL =>
  sql`select ${accountUsers.id} as id, ${accountUsers.userId} as user_id, 1 as is_member
      from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
    union all select ${removedMembers.accountUserId}, ${removedMembers.userId}, 0
      from ${removedMembers} where ${removedMembers.accountId} = ${accountId}
        and ${removedMembers.removedAt} is not null`;

/** Selects a person's known data; the name only if no other member has the same one. */
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

/** The statements that erase data identified by the membership's id or the person's addresses. */
export function eraseById({ accountId, accountUserId, addresses }: PersonTraces): SQLWrapper[] {
  const memberAddresses = sql`(select value from json_each(${JSON.stringify(addresses)}))`;
  return [
    sql`update ${comments} set created_by_name = ${FORMER_MEMBER}
      where ${comments.accountId} = ${accountId} and ${comments.accountUserId} = ${accountUserId}`,
    sql`update ${notifications} set "to" = null
      where ${notifications.accountId} = ${accountId}
        and ${notifications.accountUserId} = ${accountUserId} and "to" is not null`,
    sql`delete from ${messageTurns} where ${messageTurns.accountId} = ${accountId}
      and ${messageTurns.accountUserId} = ${accountUserId}`,
    sql`delete from ${emailLinkSends} where ${emailLinkSends.accountId} = ${accountId}
      and ${emailLinkSends.email} in ${memberAddresses}`,
    sql`delete from ${phoneCodeSends} where ${phoneCodeSends.accountId} = ${accountId}
      and ${phoneCodeSends.phone} in ${memberAddresses}`,
  ];
}

/** Contacts that only this account used. Deleted last: the search for traces needs them. */
const deleteUnproven = ({ accountId, userId }: RemovedMember): SQL[] =>
  [userEmails, userPhones].map(
    (table) => sql`delete from ${table} where ${table.userId} = ${userId}
      and ${table.accountId} = ${accountId} and not ${isProven(table)}`,
  );

/**
 * Finishes the erasure of a membership. A person without other memberships, and without traces in
 * other accounts, is deleted with their sign-in attempts; remaining traces become due.
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
    ...deleteUnproven(member),
    sql`update ${removedMembers} set requested_at = ${now}
      where ${removedMembers.userId} = ${userId} and ${isAlone}`,
    sql`delete from ${users} where ${users.id} = ${userId} and ${isAlone}
      and not exists (select 1 from ${removedMembers} where ${removedMembers.userId} = ${userId})`,
    sql`${deleteAttemptsOf(userId, emails)}
      and not exists (select 1 from ${users} where ${users.id} = ${userId})`,
  ];
}

// ── Objects ──

/**
 * Selects, in order, the objects after `after` that may store data of a member: kind and record id.
 * Includes every person's object of the account, since notifications to others may name the member.
 */
export function selectObjects(
  { accountId, accountUserId }: PersonTraces,
  after: readonly [kind: string, id: string],
  most: number,
): SQL {
  const among = (list: SQLWrapper) =>
    sql`exists (select 1 from json_each(${list}) where value = ${accountUserId})`;
  const isTheirs = (table: typeof notifications | typeof broadcastResponses) =>
    sql`${table.accountId} = ${accountId} and ${table.accountUserId} = ${accountUserId}`;
  // Nested because D1 allows five terms in a compound select.
  const alertsOfMember = sql`select ${notifications.alertId} as id from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.alertId} is not null
    union select ${alertWorkflows.alertId} from ${alertWorkflows}
      where ${alertWorkflows.accountId} = ${accountId}
        and (${alertWorkflows.destinationId} = ${accountUserId} or ${among(alertWorkflows.accountUserIds)})
    union select ${alerts.id} from ${alerts} where ${alerts.accountId} = ${accountId}
      and (${alerts.sourceId} = ${accountUserId} or ${among(alerts.destinationAccountUserIds)})`;
  const broadcastsOfMember = sql`select ${broadcasts.id} as id from ${broadcasts}
      where ${broadcasts.accountId} = ${accountId} and ${broadcasts.accountUserId} = ${accountUserId}
    union select ${notifications.broadcastId} from ${notifications}
      where ${isTheirs(notifications)} and ${notifications.broadcastId} is not null
    union select ${broadcastResponses.broadcastId} from ${broadcastResponses}
      where ${isTheirs(broadcastResponses)}`;
  const onCallObjects = sql`select 'schedule' as kind, ${schedules.id} as id from ${schedules}
      where ${schedules.accountId} = ${accountId}
    union all select 'team', ${teams.id} from ${teams} where ${teams.accountId} = ${accountId}`;
  return sql`select kind, id from (select 'alert' as kind, id from (${alertsOfMember})
      union all select 'broadcast', id from (${broadcastsOfMember})
      union all select 'integration', ${integrations.id} from ${integrations}
        where ${integrations.accountId} = ${accountId}
      union all select 'person', ${accountUsers.id} from ${accountUsers}
        where ${accountUsers.accountId} = ${accountId}
      union all select kind, id from (${onCallObjects}))
    where (kind, id) > (${after[0]}, ${after[1]}) order by kind, id limit ${most}`;
}

/** Selects the ids of alerts created by requests with these logs. */
export const selectAlertsFrom = (accountId: string, logIds: readonly string[]): SQL =>
  sql`select ${alerts.id} as id from ${alerts} where ${alerts.accountId} = ${accountId}
    and ${alerts.sourceLogId} in (select value from json_each(${JSON.stringify(logIds)}))`;

// ── Texts ──

/** A table with texts of an account. */
export type TextTable = {
  readonly name: string;
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /**
   * Whether each row belongs to a person (`user_id`): the person's own rows are shared between
   * accounts and are deleted with the person.
   */
  readonly isPersonal: boolean;
};

/** Not searched: members' own rows, contacts used by other accounts, erasure's own tables. */
const EXCLUDED_TABLES: readonly string[] = [
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

/** The tables with texts of an account, in order. */
export function toTextTables(rows: readonly RawRow[]): TextTable[] {
  const byTable = Map.groupBy(rows, (row) => String(row.table));
  return [...byTable].flatMap(([name, columns]) => {
    if (EXCLUDED_TABLES.includes(name) || !columns.some((it) => it.column === "account_id"))
      return [];
    const namesOf = (some: readonly RawRow[]) => some.map((it) => String(it.column));
    const keys = namesOf(columns.filter((it) => Number(it.pk) > 0));
    const isText = (it: RawRow) => /text|char|clob|json/i.test(String(it.type)) || it.type === "";
    const texts = namesOf(columns.filter(isText)).filter((it) => it !== "account_id");
    if (texts.length === 0) return [];
    const isPersonal = columns.some((it) => it.column === "user_id");
    return [{ name, keys: keys.length > 0 ? keys : ["rowid"], texts, isPersonal }];
  });
}

const joinNames = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
const joinValues = (items: readonly unknown[]) =>
  sql.join(
    items.map((it) => sql`${it}`),
    sql`, `,
  );

/** Selects the last key of the rows after a key, and those rows that may name the person. */
export function selectNaming(
  { name, keys, texts, isPersonal }: TextTable,
  traces: PersonTraces,
  userId: string,
  after: readonly unknown[] | null,
  most: number,
): readonly [SQL, SQL] {
  const table = sql.identifier(name);
  const afterKey =
    after === null ? sql`` : sql`where (${joinNames(keys)}) > (${joinValues(after)})`;
  const order = (direction: SQL) =>
    sql.join(
      keys.map((key) => sql`${sql.identifier(key)} ${direction}`),
      sql`, `,
    );
  const chunk = (columns: SQL) =>
    sql`(select ${columns} from ${table} ${afterKey} order by ${order(sql`asc`)} limit ${most})`;
  const fullText = sql.join(
    texts.map((text) => sql`coalesce(${sql.identifier(text)}, '')`),
    sql` || char(10) || `,
  );
  const columns = keys[0] === "rowid" ? sql`rowid, *` : sql`*`;
  const needles = JSON.stringify(searchTermsOf(traces));
  return [
    sql`select ${joinNames(keys)} from ${chunk(joinNames(keys))} order by ${order(sql`desc`)} limit 1`,
    sql`select * from ${chunk(columns)} where account_id = ${traces.accountId}
      and ${isPersonal ? sql`user_id is not ${userId}` : sql`true`}
      and exists (select 1 from json_each(${needles}) as needle
        where instr(lower(${fullText}), needle.value) > 0)`,
  ];
}

/** Rewrites the texts of one row if they are unchanged since they were read. */
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
