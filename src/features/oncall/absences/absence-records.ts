// Absences: what a record shows (contract 2, Absences).
import { type SQL, sql } from "drizzle-orm";
import type { PersonActor } from "../../../domain/access/actor.ts";
import type {
  ABSENCE_SOURCES,
  AbsenceStatus,
} from "../../../domain/oncall/absences/absence-record.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import {
  commonAttributes,
  instant,
  nestedAs,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { absencePeople, absences } from "../../schema/absences.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { AskedPerson, HoursInReturn } from "./contract.ts";

/** Epoch ms; the database's clock. */
const NOW = sql`(unixepoch('subsec') * 1000)`;

/** Asking ends on time, also before the object of the absence has noted it. */
const hasExpired = sql`(${absences.askingStatus} = 'open' and ${absences.askingExpiresAt} <= ${NOW})`;
const endedAt = sql<
  number | null
>`iif(${hasExpired}, ${absences.askingExpiresAt}, ${absences.askingEndedAt})`;
const status = sql<AbsenceStatus>`(case
    when ${hasExpired} then 'expired'
    when ${absences.askingStatus} = 'open' then 'asking'
    when ${absences.askingStatus} <> 'accepted' then ${absences.askingStatus}
    when ${absences.instead} in ('person', 'ask')
      then iif(${absences.coveringAccountUserId} is null, 'uncovered', 'covered')
    else iif(${absences.instead} = 'nobody_yet', 'uncovered', 'covered') end)`;

/** Those that still exist. */
const schedulesOfAbsence = sql<
  readonly string[]
>`(select json_group_array(${schedules.id} order by ${schedules.id})
  from json_each(${absences.scheduleIds}) as named join ${schedules} on ${schedules.id} = named.value)`;

const ofAbsence = sql`from ${absencePeople} where ${absencePeople.absenceId} = ${absences.id}`;

type AskedRow = Omit<AskedPerson, "answered_at"> & { readonly answered_at: number | null };

/** The people who are asked, as JSON, in the order in which they were named. */
const asked = sql<readonly AskedRow[]>`(select json_group_array(json_object(
    'account_user_id', ${absencePeople.accountUserId}, 'answer', ${absencePeople.answer},
    'answered_at', ${absencePeople.answeredAt}, 'channel', ${absencePeople.channel})
    order by ${absencePeople.position}) ${ofAbsence})`;
const askedIds = sql<
  readonly string[]
>`(select json_group_array(${absencePeople.accountUserId} order by ${absencePeople.position})
  ${ofAbsence})`;

const inReturn = sql<{
  readonly start: number;
  readonly end: number;
} | null>`iif(${absences.returnStartAt} is null, 'null',
    json_object('start', ${absences.returnStartAt}, 'end', ${absences.returnEndAt}))`;

/** The reason of an absence, for the person, admins and those who are asked; null for others. */
export const visibleReason = (actor: PersonActor): SQL<string | null> =>
  "roles" in actor && actor.roles.admin
    ? sql`${absences.reason}`
    : sql`(case when ${absences.accountUserId} = ${actor.accountUserId} or exists (
        select 1 ${ofAbsence} and ${absencePeople.accountUserId} = ${actor.accountUserId})
      then ${absences.reason} end)`;

/** The records of absences, limited to what the caller may see. */
export const absenceRecords = ({ actor }: { readonly actor: PersonActor }): Records<"Absence"> => ({
  kind: "absence",
  shows: "Absence",
  from: absences,
  accountId: absences.accountId,
  id: absences.id,
  prefixId: absences.prefixId,
  attributes: {
    ...commonAttributes(absences),
    account_user_id: reference(absences.accountUserId, absences.accountId, accountUsers),
    start_datetime: instant(absences.startAt),
    end_datetime: instant(absences.endAt),
    start_time: instant(absences.startAt),
    end_time: instant(absences.endAt),
    schedule_ids: references(schedulesOfAbsence, absences.accountId, schedules),
    reason: string(visibleReason(actor)),
    instead: string(absences.instead),
    covering_account_user_id: reference(
      absences.coveringAccountUserId,
      absences.accountId,
      accountUsers,
    ),
    status: string(status),
    asked: nestedAs(asked, (people): readonly AskedPerson[] =>
      people.map((it) => ({
        ...it,
        answered_at: it.answered_at === null ? null : formatInstant(it.answered_at),
      })),
    ),
    account_user_ids: references(askedIds, absences.accountId, accountUsers),
    in_return: nestedAs(
      inReturn,
      (value): HoursInReturn =>
        value === null
          ? null
          : { start_datetime: formatInstant(value.start), end_datetime: formatInstant(value.end) },
    ),
    expires_at: instant(absences.askingExpiresAt),
    ended_at: instant(endedAt),
    source: string(
      sql<
        (typeof ABSENCE_SOURCES)[number]
      >`iif(${absences.absenceCalendarId} is null, 'person', 'calendar')`,
    ),
    absence_calendar_id: reference(
      absences.absenceCalendarId,
      absences.accountId,
      absenceCalendars,
    ),
    return_of: reference(absences.returnOf, absences.accountId, absences),
  },
  search: [],
  total: "absences",
});
