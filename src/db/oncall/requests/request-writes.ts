// The writes of requests for cover. Every one raises `updated_at` of the request, also where only an
// answer changes, so that a decision that was made before is noticed.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AskedPerson, RequestState } from "../../../domain/oncall/requests/cover-request.ts";
import {
  coverRequestPeople,
  coverRequests,
  type RequestedHours,
} from "../../schema/calendars/cover-requests.ts";
import { nextUpdatedAt } from "../../shared/optimistic-retry.ts";
import type { StoredRequest } from "./request-rows.ts";

/** Inserts the people who are asked, in their order. */
export const insertAsked = (
  accountId: string,
  requestId: string,
  accountUserIds: readonly string[],
): SQL =>
  sql`insert into ${coverRequestPeople} (account_id, request_id, account_user_id, position)
    select ${accountId}, ${requestId}, value, key from json_each(${JSON.stringify(accountUserIds)})`;

/** What accepting adds to a request. */
type Taken = { readonly coverIds: readonly string[]; readonly hours: readonly RequestedHours[] };

/** Writes the state of a request and the answers that changed. `now` in epoch ms. */
export function writeState(
  stored: StoredRequest,
  next: RequestState,
  now: number,
  taken: Taken | null = null,
): readonly SQLWrapper[] {
  const answered = next.asked.filter((it) => !stored.asked.includes(it));
  const acceptedBy = answered.find(({ answer }) => answer === "accepted")?.accountUserId ?? null;
  const isOver = next.status !== "open";
  return [
    ...answered.map((it) => writeAnswer(stored.id, it)),
    sql`update ${coverRequests} set status = ${next.status}, ended_at = ${isOver ? now : null},
        accepted_by = ${acceptedBy}, updated_at = ${nextUpdatedAt(stored.updatedAt, now)}
        ${taken ? sql`, cover_ids = ${JSON.stringify(taken.coverIds)}, hours = ${JSON.stringify(taken.hours)}` : sql``}
      where ${coverRequests.id} = ${stored.id}`,
  ];
}

const writeAnswer = (
  requestId: string,
  { accountUserId, answer, answeredAt, channel }: AskedPerson,
): SQL => sql`update ${coverRequestPeople}
  set answer = ${answer}, answered_at = ${answeredAt}, channel = ${channel}
  where ${coverRequestPeople.requestId} = ${requestId}
    and ${coverRequestPeople.accountUserId} = ${accountUserId}`;

/** Ends a request that has expired at `now` (epoch ms), unless it is over. */
export const expireRequest = (accountId: string, id: string, now: number): SQL =>
  sql`update ${coverRequests} set status = 'expired', ended_at = expires_at,
      updated_at = max(${now}, updated_at + 1)
    where ${coverRequests.accountId} = ${accountId} and ${coverRequests.id} = ${id}
      and ${coverRequests.status} = 'open' and ${coverRequests.expiresAt} <= ${now}`;

/**
 * The writes for a person who leaves the account at `now` (epoch ms): their open requests are
 * cancelled, and they count as having declined those that they were asked.
 */
export function requestDepartureWrites(
  accountId: string,
  person: string,
  now: number,
): readonly SQLWrapper[] {
  const isOpen = sql`${coverRequests.accountId} = ${accountId} and ${coverRequests.status} = 'open'
    and ${coverRequests.expiresAt} > ${now}`;
  const isAsked = sql`${coverRequests.id} in (select ${coverRequestPeople.requestId}
    from ${coverRequestPeople} where ${coverRequestPeople.accountId} = ${accountId}
      and ${coverRequestPeople.accountUserId} = ${person})`;
  const hasOthers = sql`exists (select 1 from ${coverRequestPeople}
    where ${coverRequestPeople.requestId} = ${coverRequests.id}
      and ${coverRequestPeople.answer} <> 'declined')`;
  return [
    sql`update ${coverRequests} set status = 'cancelled', ended_at = ${now},
        updated_at = max(${now}, updated_at + 1)
      where ${isOpen} and ${coverRequests.accountUserId} = ${person}`,
    sql`update ${coverRequestPeople} set answer = 'declined', answered_at = ${now}
      where ${coverRequestPeople.accountId} = ${accountId}
        and ${coverRequestPeople.accountUserId} = ${person} and ${coverRequestPeople.answer} = 'pending'
        and ${coverRequestPeople.requestId} in (select ${coverRequests.id} from ${coverRequests}
          where ${isOpen})`,
    sql`update ${coverRequests} set updated_at = max(${now}, updated_at + 1),
        ended_at = iif(${hasOthers}, null, ${now}), status = iif(${hasOthers}, 'open', 'declined')
      where ${isOpen} and ${isAsked}`,
  ];
}
