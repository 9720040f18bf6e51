// A request for cover as verbs, links and its object read it: the request, its people and the names
// that a message about it needs.
import { type SQL, sql } from "drizzle-orm";
import type {
  AskedPerson,
  RequestState,
  RequestTerms,
} from "../../../domain/oncall/requests/cover-request.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { memberName } from "../../people/recipient-rows.ts";
import { identified } from "../../records/identified.ts";
import {
  coverRequestPeople,
  coverRequests,
  type RequestedHours,
} from "../../schema/calendars/cover-requests.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { mapped, parsed, type RowOf, type Select, select } from "../../shared/select.ts";

const askedJson = sql`(select json_group_array(json_object(
    'accountUserId', ${coverRequestPeople.accountUserId}, 'answer', ${coverRequestPeople.answer},
    'answeredAt', ${coverRequestPeople.answeredAt}, 'channel', ${coverRequestPeople.channel})
    order by ${coverRequestPeople.position})
  from ${coverRequestPeople} where ${coverRequestPeople.requestId} = ${coverRequests.id})`;

/** The names of the members whom the request concerns, by account user id. */
const namesJson = sql`(select json_group_object(${accountUsers.id}, ${memberName})
  from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
  where ${accountUsers.accountId} = ${coverRequests.accountId}
    and (${accountUsers.id} = ${coverRequests.accountUserId} or ${accountUsers.id} in (
      select ${coverRequestPeople.accountUserId} from ${coverRequestPeople}
        where ${coverRequestPeople.requestId} = ${coverRequests.id})))`;

const schedulesJson = sql`(select json_group_object(${schedules.id}, ${schedules.name})
  from ${schedules} where ${schedules.accountId} = ${coverRequests.accountId}
    and ${schedules.id} in (select place.value
      from json_each(${coverRequests.hours}) as part, json_each(part.value, '$.scheduleIds') as place))`;

const columns = {
  id: coverRequests.id,
  createdAt: coverRequests.createdAt,
  updatedAt: coverRequests.updatedAt,
  accountUserId: coverRequests.accountUserId,
  startAt: coverRequests.startAt,
  endAt: coverRequests.endAt,
  scheduleIds: coverRequests.scheduleIds,
  returnStartAt: coverRequests.returnStartAt,
  returnEndAt: coverRequests.returnEndAt,
  reason: coverRequests.reason,
  status: coverRequests.status,
  expiresAt: coverRequests.expiresAt,
  endedAt: coverRequests.endedAt,
  acceptedBy: coverRequests.acceptedBy,
  hours: coverRequests.hours,
  asked: parsed<readonly AskedPerson[]>(askedJson),
  names: parsed<Readonly<Record<string, string>>>(namesJson),
  scheduleNames: parsed<Readonly<Record<string, string>>>(schedulesJson),
};

/** A request as it is stored. */
export type StoredRequest = RequestTerms &
  RequestState & {
    readonly id: string;
    readonly createdAt: number;
    readonly updatedAt: number;
    readonly reason: string | null;
    readonly endedAt: number | null;
    readonly acceptedBy: string | null;
    /** What the person served in the time when it was asked for, or accepted. */
    readonly hours: readonly RequestedHours[];
    /** Names of members, by account user id. */
    readonly names: Readonly<Record<string, string>>;
    readonly scheduleNames: Readonly<Record<string, string>>;
  };

function toStored({
  returnStartAt: startAt,
  returnEndAt: endAt,
  ...row
}: RowOf<typeof columns>): StoredRequest {
  const inReturn = startAt === null || endAt === null ? null : { startAt, endAt };
  return { ...row, inReturn };
}

/** Selects the request of an identifier; no row if there is none. */
export const selectRequest = (accountId: string, identifier: Identifier): Select<StoredRequest> =>
  mapped(
    select(
      columns,
      sql`from ${coverRequests} where ${coverRequests.accountId} = ${accountId}
        and ${identified(coverRequests, identifier)}`,
    ),
    toStored,
  );

/** Selects the person who is to be covered. */
export const selectRequester = (accountId: string, identifier: Identifier): SQL =>
  sql`select ${coverRequests.accountUserId} from ${coverRequests}
    where ${coverRequests.accountId} = ${accountId} and ${identified(coverRequests, identifier)}`;

/** The name of a person whom a request concerns. */
export const nameIn = ({ names }: Pick<StoredRequest, "names">, accountUserId: string): string =>
  names[accountUserId] ?? "Former member";

/** Selects the number of open requests of a person at `now` (epoch ms). */
export const countOpenRequests = (accountId: string, accountUserId: string, now: number) =>
  select(
    { count: sql<number>`count(*)` },
    sql`from ${coverRequests} where ${coverRequests.accountId} = ${accountId}
      and ${coverRequests.accountUserId} = ${accountUserId}
      and ${coverRequests.status} = 'open' and ${coverRequests.expiresAt} > ${now}`,
  );
