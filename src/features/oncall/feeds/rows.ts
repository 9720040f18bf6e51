// Calendar feeds: what a record shows, and how one is stored (contract 2, Calendar feeds).
import { type SQL, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { commonAttributes, reference, string } from "../../../kernel/db/attributes.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { oneRecord, type Records, type Whereabouts } from "../../../kernel/db/records.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { selectRosterPeople } from "../on-call/oncall-rows.ts";
import { schedulesOfPerson } from "../schedules/person-schedules.ts";

/** The records a feed can belong to, with the column that refers to the record. */
const SOURCES = {
  schedule: { type: "Schedule", table: schedules, column: calendarFeeds.scheduleId },
  team: { type: "Team", table: teams, column: calendarFeeds.teamId },
  account_user: { type: "AccountUser", table: accountUsers, column: calendarFeeds.personId },
} as const;
export type FeedSource = keyof typeof SOURCES;

const { scheduleId, teamId, personId } = calendarFeeds;

const sourceType = sql<
  (typeof SOURCES)[FeedSource]["type"]
>`case when ${scheduleId} is not null then ${SOURCES.schedule.type}
  when ${teamId} is not null then ${SOURCES.team.type} else ${SOURCES.account_user.type} end`;

export const calendarFeedRecords: Records<"CalendarFeed"> = {
  kind: "calendar_feed",
  shows: "CalendarFeed",
  from: calendarFeeds,
  accountId: calendarFeeds.accountId,
  id: calendarFeeds.id,
  prefixId: calendarFeeds.prefixId,
  attributes: {
    ...commonAttributes(calendarFeeds),
    name: string(calendarFeeds.name),
    /** The account user who created it. */
    account_user_id: reference(calendarFeeds.accountUserId, calendarFeeds.accountId, accountUsers),
    source_type: string(sourceType),
    source_id: reference(
      sql<string>`coalesce(${scheduleId}, ${teamId}, ${personId})`,
      calendarFeeds.accountId,
      schedules,
      teams,
      accountUsers,
    ),
  },
  search: [calendarFeeds.name],
  total: "calendar_feeds",
};

/** Where the records of a source are. */
export function sourceOf(kind: FeedSource): Whereabouts {
  const { table } = SOURCES[kind];
  const { id, prefixId, accountId } = table;
  return { kind, from: table, accountId, id, prefixId };
}

type NewFeed = {
  readonly id: string;
  readonly accountId: string;
  /** The creator's account user id. */
  readonly creatorId: string;
  readonly name: string;
  readonly meta: Record<string, unknown>;
  readonly secretHash: string;
};

/**
 * Inserts a feed; inserts nothing when `source` selects no id.
 *
 * @param now epoch ms
 */
export function insertFeed(feed: NewFeed, kind: FeedSource, source: SQL, now: number): SQL {
  const { id, prefixId } = newIdentity("calendar_feed", now, feed.id);
  const { column } = SOURCES[kind];
  return sql`insert into ${calendarFeeds} (id, prefix_id, created_at, updated_at, account_id, meta,
      name, account_user_id, secret_hash, ${sql.identifier(column.name)})
    select ${id}, ${prefixId}, ${now}, ${now}, ${feed.accountId}, ${JSON.stringify(feed.meta)},
      ${feed.name}, ${feed.creatorId}, ${feed.secretHash}, source.id
    from (${source}) as source`;
}

// Reads what a calendar feed shows: the feed of a secret, and the names of the people and schedules
// of its shifts.

const members = sql`${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}`;

const feedColumns = {
  accountId: calendarFeeds.accountId,
  personId: calendarFeeds.personId,
  scheduleId: sql<string | null>`coalesce(${calendarFeeds.scheduleId}, ${teams.scheduleId})`,
  name: sql<string>`coalesce(nullif(${calendarFeeds.name}, ''), ${teams.name},
    (select ${schedules.name} from ${schedules}
      where ${schedules.id} = ${calendarFeeds.scheduleId}),
    (select ${memberName} from ${members}
      where ${accountUsers.id} = ${calendarFeeds.personId}), '')`,
};

/** A feed, as its calendar is computed from. */
export type StoredFeed = RowOf<typeof feedColumns>;

/** Selects the feed with this secret; no row if there is none. */
export const selectFeed = (secretHash: string) =>
  select(
    feedColumns,
    sql`from ${calendarFeeds} left join ${teams} on ${teams.id} = ${calendarFeeds.teamId}
      where ${calendarFeeds.secretHash} = ${secretHash}`,
  );

/** Selects the schedules that contain the feed's shifts from `from` (epoch ms) on. */
export function schedulesOfFeed(feed: StoredFeed, from: number): SQL {
  const { accountId, personId, scheduleId } = feed;
  return personId === null
    ? sql`select ${scheduleId}`
    : schedulesOfPerson(accountId, personId, from);
}

/** Selects the id of an account user; no row if there is none. */
export const selectPersonId = (accountId: string, identifier: Identifier) =>
  select(
    { id: accountUsers.id },
    sql`from ${accountUsers} where ${oneRecord(accountUsers, accountId, identifier)}`,
  );

/**
 * Selects the names of the people on call in these schedules from `from` (epoch ms) on, and of the
 * schedules.
 */
export const selectFeedNames = ({ accountId }: StoredFeed, inSchedules: SQL, from: number) =>
  select(
    { id: sql<string>`id`, name: sql<string>`name` },
    sql`from (select ${accountUsers.id} as id, coalesce(${memberName}, 'Invited') as name
        from ${members}
        where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} in (
          ${selectRosterPeople(accountId, inSchedules, from)})
      union all select ${schedules.id}, ${schedules.name} from ${schedules}
        where ${schedules.accountId} = ${accountId} and ${schedules.id} in (${inSchedules}))`,
  );
