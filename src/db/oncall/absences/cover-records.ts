// Covers: what a record shows (contract 2, Covers).
import { sql } from "drizzle-orm";
import {
  commonAttributes,
  instant,
  reference,
  references,
  string,
} from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { covers } from "../../schema/calendars/covers.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

/** Those that still exist. */
const schedulesOfCover = sql<
  readonly string[]
>`(select json_group_array(${schedules.id} order by ${schedules.id})
  from json_each(${covers.scheduleIds}) as named join ${schedules} on ${schedules.id} = named.value)`;

export const coverRecords: Records<"Cover"> = {
  kind: "cover",
  shows: "Cover",
  from: covers,
  accountId: covers.accountId,
  id: covers.id,
  prefixId: covers.prefixId,
  attributes: {
    ...commonAttributes(covers),
    account_user_id: reference(covers.accountUserId, covers.accountId, accountUsers),
    start_datetime: instant(covers.startAt),
    end_datetime: instant(covers.endAt),
    covered_by: string(covers.coveredBy),
    covering_account_user_id: reference(
      covers.coveringAccountUserId,
      covers.accountId,
      accountUsers,
    ),
    schedule_ids: references(schedulesOfCover, covers.accountId, schedules),
    reason: string(covers.reason),
  },
  search: [],
  total: "covers",
};
