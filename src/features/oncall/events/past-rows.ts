// Series as they were before they changed, in hours that were served. See `past_events`.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PastChange, PlacedPast } from "../../../domain/oncall/changes/keep-past.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { pastEvents } from "../../schema/past-events.ts";
import { accounts } from "../../schema/people.ts";

const pastColumns = {
  id: pastEvents.id,
  scheduleId: pastEvents.scheduleId,
  seriesId: pastEvents.rootId,
  startAt: pastEvents.fromAt,
  endAt: pastEvents.untilAt,
  activeUntil: pastEvents.activeUntil,
  events: pastEvents.events,
};

const counts = sql`${pastEvents.correctedById} is null`;

/**
 * Selects what the series of some schedules were, as far as it affects who is on call from an instant
 * on.
 *
 * @param schedules a select of one column of schedule ids
 * @param from epoch ms, or a select of it; null selects nothing
 */
export const selectPast = (
  accountId: string,
  schedules: SQL,
  from: number | SQL,
): Select<PlacedPast> =>
  select(
    pastColumns,
    sql`from ${pastEvents} where ${pastEvents.accountId} = ${accountId}
      and ${pastEvents.scheduleId} in (${schedules}) and ${pastEvents.activeUntil} > ${from}
      and ${counts} order by ${pastEvents.id}`,
  );

/**
 * Selects the people whom past events had on call, and the schedule of each, as far as it affects who
 * is on call from an instant on: `schedule_id` and `account_user_id`.
 *
 * @param from epoch ms, or a select of it
 */
export const selectPastPeople = (accountId: string, from: number | SQL): SQL =>
  sql`select ${pastEvents.scheduleId} as schedule_id, node.atom as account_user_id
    from ${pastEvents}, json_tree(${pastEvents.events}) as node
    where ${pastEvents.accountId} = ${accountId} and ${pastEvents.activeUntil} > ${from}
      and ${counts} and node.key = 'attendeeId'`;

/**
 * Selects all that is kept of some series, as it is without a change that is being undone.
 *
 * @param roots a select of their ids, and of others
 * @param undone the id of the change that is being undone; null: none is
 */
export const selectPastOf = (
  accountId: string,
  roots: SQL,
  undone: string | null,
): Select<PlacedPast> =>
  select(
    pastColumns,
    sql`from ${pastEvents} where ${pastEvents.accountId} = ${accountId}
      and ${pastEvents.rootId} in (${roots})
      and (${counts} or ${pastEvents.correctedById} = ${undone})
      and not (${pastEvents.changeId} is ${undone} and ${isCorrection(accountId, undone)})
      order by ${pastEvents.id}`,
  );

/** Whether a change has corrected what was kept: its own rows are what it left of that. */
const isCorrection = (accountId: string, changeId: string | null): SQL =>
  sql`exists (select 1 from ${pastEvents} as one
    where one.account_id = ${accountId} and one.corrected_by_id is ${changeId}
      and one.corrected_by_id is not null)`;

/** Takes back the correction by a change that is undone; other changes keep what was served. */
export const restoreCorrected = (accountId: string, changeId: string): readonly SQL[] => [
  sql`delete from ${pastEvents} where ${pastEvents.accountId} = ${accountId}
    and ${pastEvents.changeId} = ${changeId} and ${isCorrection(accountId, changeId)}`,
  sql`update ${pastEvents} set corrected_by_id = null
    where ${pastEvents.accountId} = ${accountId} and ${pastEvents.correctedById} = ${changeId}`,
];

/** A parameter has at most 2 MB. */
const MOST_CHARACTERS = 500_000;

/** Writes what a change keeps of the past, or corrects of it. `now` in epoch ms. */
export function writePast(
  accountId: string,
  { added, corrected }: PastChange,
  changeId: string,
  now: number,
): readonly SQLWrapper[] {
  const rows = added.map((it) => JSON.stringify({ ...it, id: newId(now) }));
  return [
    ...(corrected.length > 0
      ? [
          sql`update ${pastEvents} set corrected_by_id = ${changeId}
            where ${pastEvents.accountId} = ${accountId}
              and ${pastEvents.id} in (select value from json_each(${JSON.stringify(corrected)}))`,
        ]
      : []),
    ...bySize(rows).map(
      (some) => sql`insert into ${pastEvents} (id, account_id, schedule_id, root_id, from_at,
          until_at, active_until, events, change_id)
        select value ->> 'id', ${accountId}, value ->> 'scheduleId', value ->> 'seriesId',
          value ->> 'startAt', value ->> 'endAt', value ->> 'activeUntil', value -> 'events',
          ${changeId}
        from json_each(${`[${some.join(",")}]`})`,
    ),
  ];
}

function bySize(rows: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let size = 0;
  for (const row of rows) {
    if (groups.length === 0 || size + row.length > MOST_CHARACTERS) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(row);
    size += row.length;
  }
  return groups;
}

/** Deletes what series were in hours that ended before the instant (epoch ms). */
export const deletePast = (before: number, most: number): SQL =>
  sql`delete from ${pastEvents} where ${pastEvents.id} in (
    select ${pastEvents.id} from ${accounts} cross join ${pastEvents}
      on ${pastEvents.accountId} = ${accounts.id} and ${pastEvents.untilAt} < ${before}
    order by ${accounts.id}, ${pastEvents.untilAt}, ${pastEvents.id} limit ${most})`;
