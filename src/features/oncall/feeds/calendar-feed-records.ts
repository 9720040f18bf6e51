// Calendar feeds: what a record shows, and how one is stored (contract 2, Calendar feeds).
import { type SQL, sql } from "drizzle-orm";
import { commonAttributes, reference, string } from "../../../kernel/db/attributes.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import type { Records, Whereabouts } from "../../../kernel/db/records.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

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
