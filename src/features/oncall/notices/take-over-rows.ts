// Reads the take-overs of a schedule that its object has not announced yet, and whom to notify of them.
import { sql } from "drizzle-orm";
import { TAKE_OVER } from "../../../domain/oncall/changes/history-entry.ts";
import type { TakeOverNotice } from "../../../domain/oncall/notices/take-overs.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, batch, parsed, select } from "../../../kernel/db/select.ts";
import { readImages } from "../../change/event-images.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

const entryColumns = {
  id: sql<string>`entry.id`,
  createdAt: sql<number>`entry.created_at`,
  isUndo: sql<number>`entry.undoes_id is not null`,
  authorId: sql<string>`entry.account_user_id`,
  takerId: sql<string>`taken.account_user_id`,
  relievedIds: parsed<readonly string[]>(sql`(taken.record_before -> '$.relieved')`),
  image: sql<string | null>`taken.after`,
};

export type UnannouncedTakeOvers = {
  readonly takeOvers: readonly TakeOverNotice[];
  /** The account user ids of the admins of the teams that use the schedule. */
  readonly adminIds: readonly string[];
};

/**
 * Reads the take-overs of a schedule that are in force, and the undoes of those before, by time.
 * Throws if D1 does.
 *
 * @param after the id of the last change that was announced
 */
export async function readTakeOvers(
  db: Connection,
  accountId: string,
  scheduleId: string,
  after: string,
): Promise<UnannouncedTakeOvers> {
  const entries = await all(
    db,
    select(
      entryColumns,
      sql`from ${changeSchedules} as placed
        join ${changes} as entry on entry.account_id = placed.account_id
          and entry.id = placed.change_id
        join ${changes} as taken on taken.account_id = entry.account_id
          and taken.id = coalesce(entry.undoes_id, entry.id)
        where placed.account_id = ${accountId} and placed.schedule_id = ${scheduleId}
          and placed.change_id > ${after} and entry.undone_by_id is null
          and taken.kind = 'event' and taken.verb = ${TAKE_OVER}
          and (entry.undoes_id is null or taken.id <= ${after})
        order by entry.id`,
    ),
  );
  if (entries.length === 0) return { takeOvers: [], adminIds: [] };
  const ids = entries.flatMap((it) => [it.authorId, it.takerId, ...it.relievedIds]);
  const [people, admins] = await batch(db, [
    select(
      { id: accountUsers.id, name: memberName },
      sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${accountId}
          and ${accountUsers.id} in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
    select(
      { id: sql<string>`distinct ${teamPeople.accountUserId}` },
      sql`from ${teams} join ${teamPeople} on ${teamPeople.teamId} = ${teams.id}
          and ${teamPeople.relation} = 'admin'
        where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}`,
    ),
  ]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? "Former member";
  return {
    takeOvers: entries.flatMap(({ image, isUndo, ...entry }) =>
      readImages(image).map(({ layer, startAt, endAt }) => ({
        ...entry,
        ...{ layer, startAt, endAt },
        isUndo: isUndo === 1,
        author: nameOf(entry.authorId),
        taker: nameOf(entry.takerId),
        relieved: entry.relievedIds.map(nameOf),
      })),
    ),
    adminIds: admins.map(({ id }) => id),
  };
}
