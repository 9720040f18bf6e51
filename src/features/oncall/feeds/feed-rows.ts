// Reads what a calendar feed shows: the feed of a secret, and the names of the people and schedules
// of its shifts.
import { type SQL, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";
import { schedules, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { selectRosterPeople } from "../on-call/oncall-rows.ts";
import { schedulesOfPerson } from "../schedules/person-schedules.ts";

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
