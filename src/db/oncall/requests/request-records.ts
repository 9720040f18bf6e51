// Requests for cover: what a record shows (contract 2, Cover requests).
import { sql } from "drizzle-orm";
import type {
  AskedPerson,
  CoverRequestReturn,
} from "../../../contract/oncall/requests/cover-request.ts";
import type { RequestStatus } from "../../../domain/oncall/requests/cover-request.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import {
  commonAttributes,
  instant,
  nestedAs,
  reference,
  references,
  string,
} from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { coverRequestPeople, coverRequests } from "../../schema/calendars/cover-requests.ts";
import { covers } from "../../schema/calendars/covers.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

/** Epoch ms; the database's clock. */
const NOW = sql`(unixepoch('subsec') * 1000)`;

/** A request expires on time, also before its object has noted it. */
const isExpired = sql`(${coverRequests.status} = 'open' and ${coverRequests.expiresAt} <= ${NOW})`;
const status = sql<RequestStatus>`iif(${isExpired}, 'expired', ${coverRequests.status})`;
const endedAt = sql<
  number | null
>`iif(${isExpired}, ${coverRequests.expiresAt}, ${coverRequests.endedAt})`;

/** Those that still exist. */
const schedulesOfRequest = sql<
  readonly string[]
>`(select json_group_array(${schedules.id} order by ${schedules.id})
  from json_each(${coverRequests.scheduleIds}) as named
    join ${schedules} on ${schedules.id} = named.value)`;
const coversOfRequest = sql<
  readonly string[]
>`(select json_group_array(${covers.id} order by ${covers.id})
  from json_each(${coverRequests.coverIds}) as made join ${covers} on ${covers.id} = made.value)`;

const ofRequest = sql`from ${coverRequestPeople}
  where ${coverRequestPeople.requestId} = ${coverRequests.id}`;

type AskedRow = Omit<AskedPerson, "answered_at"> & { readonly answered_at: number | null };

/** The people who are asked, as JSON, in the order in which they were named. */
const asked = sql<readonly AskedRow[]>`(select json_group_array(json_object(
    'account_user_id', ${coverRequestPeople.accountUserId}, 'answer', ${coverRequestPeople.answer},
    'answered_at', ${coverRequestPeople.answeredAt}, 'channel', ${coverRequestPeople.channel})
    order by ${coverRequestPeople.position}) ${ofRequest})`;
const askedIds = sql<
  readonly string[]
>`(select json_group_array(${coverRequestPeople.accountUserId} order by ${coverRequestPeople.position})
  ${ofRequest})`;

const inReturn = sql<{
  readonly start: number;
  readonly end: number;
} | null>`iif(${coverRequests.returnStartAt} is null, 'null',
    json_object('start', ${coverRequests.returnStartAt}, 'end', ${coverRequests.returnEndAt}))`;

export const coverRequestRecords: Records<"CoverRequest"> = {
  kind: "cover_request",
  shows: "CoverRequest",
  from: coverRequests,
  accountId: coverRequests.accountId,
  id: coverRequests.id,
  prefixId: coverRequests.prefixId,
  attributes: {
    ...commonAttributes(coverRequests),
    account_user_id: reference(coverRequests.accountUserId, coverRequests.accountId, accountUsers),
    start_datetime: instant(coverRequests.startAt),
    end_datetime: instant(coverRequests.endAt),
    schedule_ids: references(schedulesOfRequest, coverRequests.accountId, schedules),
    in_return: nestedAs(
      inReturn,
      (value): CoverRequestReturn =>
        value === null
          ? null
          : { start_datetime: formatInstant(value.start), end_datetime: formatInstant(value.end) },
    ),
    reason: string(coverRequests.reason),
    status: string(status),
    expires_at: instant(coverRequests.expiresAt),
    ended_at: instant(endedAt),
    asked: nestedAs(asked, (people): readonly AskedPerson[] =>
      people.map((it) => ({
        ...it,
        answered_at: it.answered_at === null ? null : formatInstant(it.answered_at),
      })),
    ),
    account_user_ids: references(askedIds, coverRequests.accountId, accountUsers),
    accepted_by: reference(coverRequests.acceptedBy, coverRequests.accountId, accountUsers),
    cover_ids: references(coversOfRequest, coverRequests.accountId, covers),
  },
  search: [],
  total: "cover_requests",
};
