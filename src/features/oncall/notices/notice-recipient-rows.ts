// Reads the people who are notified of shifts and gaps: their time zones, and which notices they want.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, type RowOf, select } from "../../../kernel/db/select.ts";
import { accountUsers, users } from "../../schema/people.ts";

const recipientColumns = {
  id: accountUsers.id,
  timeZone: users.timeZone,
  shiftNotices: users.shiftNotices,
  shiftReminders: users.shiftReminders,
  shiftDigestDay: users.shiftDigestDay,
  shiftDigestTimeOfDay: users.shiftDigestTimeOfDay,
};

/** An active member of the account, as notices of shifts and gaps need them. */
export type NoticeRecipient = RowOf<typeof recipientColumns>;

/** Reads the active members among some account users, by account user id. Throws if D1 does. */
export async function readNoticeRecipients(
  db: Connection,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NoticeRecipient>> {
  if (ids.length === 0) return new Map();
  const query = select(
    recipientColumns,
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
        and ${accountUsers.id} in (select value from json_each(${JSON.stringify(ids)}))`,
  );
  return new Map((await all(db, query)).map((person) => [person.id, person]));
}
