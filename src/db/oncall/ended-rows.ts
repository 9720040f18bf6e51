// Deletes what ended before an instant: covers, requests for cover and unavailabilities.
import { type SQL, sql } from "drizzle-orm";
import { unavailabilities } from "../schema/calendars/calendar-imports.ts";
import { coverRequestPeople, coverRequests } from "../schema/calendars/cover-requests.ts";
import { covers } from "../schema/calendars/covers.ts";
import { accounts } from "../schema/people.ts";
import { keepServed } from "./absences/absence-rows.ts";

/** Deletes requests for cover that were over before the instant (epoch ms), with their answers. */
export function deleteEndedRequests(before: number, most: number): readonly [SQL, SQL] {
  const { id, accountId, createdAt, endAt, returnEndAt, expiresAt, endedAt } = coverRequests;
  const ended = sql`select ${id} from ${accounts} cross join ${coverRequests}
      on ${accountId} = ${accounts.id} and ${createdAt} < ${before}
    where max(${endAt}, coalesce(${returnEndAt}, 0), ${expiresAt}, coalesce(${endedAt}, 0))
      < ${before}
    order by ${accounts.id}, ${createdAt}, ${id} limit ${most}`;
  return [
    sql`delete from ${coverRequestPeople} where ${coverRequestPeople.requestId} in (${ended})`,
    sql`delete from ${coverRequests} where ${id} in (${ended})`,
  ];
}

/** Deletes covers that ended before the instant (epoch ms). Who served by them stays. */
export function deleteEndedCovers(before: number, most: number): readonly [SQL, SQL] {
  const { id, accountId, endAt } = covers;
  const ended = sql`${id} in (select ${id} from ${accounts} cross join ${covers}
      on ${accountId} = ${accounts.id} and ${endAt} < ${before}
    order by ${accounts.id}, ${endAt}, ${id} limit ${most})`;
  return [keepServed(covers, ended, before), sql`delete from ${covers} where ${ended}`];
}

/** The same for unavailabilities. */
export function deleteEndedUnavailabilities(before: number, most: number): readonly [SQL, SQL] {
  const { id, accountId, createdAt, endAt } = unavailabilities;
  const ended = sql`${id} in (select ${id} from ${accounts} cross join ${unavailabilities}
      on ${accountId} = ${accounts.id} and ${createdAt} < ${before}
    where ${endAt} < ${before} order by ${accounts.id}, ${createdAt}, ${id} limit ${most})`;
  return [
    keepServed(unavailabilities, ended, before),
    sql`delete from ${unavailabilities} where ${ended}`,
  ];
}
