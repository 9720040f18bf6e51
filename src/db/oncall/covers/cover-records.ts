// Covers: what a record shows (contract 2, Covers).
import { type SQL, sql } from "drizzle-orm";
import type { OnCallAttendee } from "../../../domain/oncall/on-call-event.ts";
import {
  commonAttributes,
  instant,
  number,
  reference,
  references,
  string,
} from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { covers } from "../../schema/calendars/covers.ts";
import { events, schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { parsed, select } from "../../shared/select.ts";
import { schedulesOfEvent } from "../events/event-family.ts";
import { attendeesOfEvent } from "../oncall-rows.ts";

const overridesCount = sql<number>`(select count(*) from ${events}
  where ${events.accountId} = ${covers.accountId} and ${events.coverId} = ${covers.id})`;

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
    overrides_count: number(overridesCount),
  },
  search: [],
  total: "covers",
};

const shiftColumns = {
  id: events.id,
  startAt: events.startAt,
  endAt: events.endAt,
  layer: events.layer,
  parentId: events.parentId,
  scheduleIds: parsed<readonly string[]>(schedulesOfEvent),
  attendees: parsed<readonly OnCallAttendee[]>(attendeesOfEvent),
};

/** The most overrides that are shown of a cover: each edit may leave one of the past behind. */
const MOST_SHOWN = 1000;

/** Selects the overrides of the cover that `coverId` selects, by start. */
export const selectCoverShifts = (accountId: string, coverId: SQL) =>
  select(
    shiftColumns,
    sql`from ${events} where ${events.accountId} = ${accountId} and ${events.coverId} = (${coverId})
      order by ${events.startAt}, ${events.layer}, ${events.id} limit ${MOST_SHOWN}`,
  );
