// An absence as verbs, links and its object read it: with the people who are asked and the names that
// a message about it needs.
import { sql } from "drizzle-orm";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import type { AskedPerson, Asking } from "../../../domain/oncall/absences/asking.ts";
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { mapped, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { absencePeople, absences, type RequestedHours } from "../../schema/absences.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

const askedJson = sql`(select json_group_array(json_object(
    'accountUserId', ${absencePeople.accountUserId}, 'answer', ${absencePeople.answer},
    'answeredAt', ${absencePeople.answeredAt}, 'channel', ${absencePeople.channel})
    order by ${absencePeople.position})
  from ${absencePeople} where ${absencePeople.absenceId} = ${absences.id})`;

/** The names of the members whom the absence concerns, by account user id. */
const namesJson = sql`(select json_group_object(${accountUsers.id}, ${memberName})
  from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
  where ${accountUsers.accountId} = ${absences.accountId}
    and (${accountUsers.id} = ${absences.accountUserId} or ${accountUsers.id} in (
      select ${absencePeople.accountUserId} from ${absencePeople}
        where ${absencePeople.absenceId} = ${absences.id})))`;

const schedulesJson = sql`(select json_group_object(${schedules.id}, ${schedules.name})
  from ${schedules} where ${schedules.accountId} = ${absences.accountId}
    and ${schedules.id} in (select place.value
      from json_each(${absences.hours}) as part, json_each(part.value, '$.scheduleIds') as place))`;

const columns = {
  id: absences.id,
  createdAt: absences.createdAt,
  updatedAt: absences.updatedAt,
  accountUserId: absences.accountUserId,
  startAt: absences.startAt,
  endAt: absences.endAt,
  scheduleIds: absences.scheduleIds,
  reason: absences.reason,
  instead: absences.instead,
  coveringAccountUserId: absences.coveringAccountUserId,
  decidedAt: absences.decidedAt,
  released: absences.released,
  absenceCalendarId: absences.absenceCalendarId,
  askingStatus: absences.askingStatus,
  askedAt: absences.askedAt,
  askingExpiresAt: absences.askingExpiresAt,
  askingEndedAt: absences.askingEndedAt,
  returnStartAt: absences.returnStartAt,
  returnEndAt: absences.returnEndAt,
  hours: absences.hours,
  asked: parsed<readonly AskedPerson[]>(askedJson),
  names: parsed<Readonly<Record<string, string>>>(namesJson),
  scheduleNames: parsed<Readonly<Record<string, string>>>(schedulesJson),
};

type StoredAsking = Asking & {
  readonly askedAt: number;
  readonly endedAt: number | null;
  /** The hours that the person takes over from whoever accepts; null: none. */
  readonly inReturn: Interval | null;
  /** What the person served in the time when people were asked, or somebody accepted. */
  readonly hours: readonly RequestedHours[];
};

/** An absence as it is stored. */
export type StoredAbsence = Omit<AbsenceRecord, "asking"> & {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly reason: string | null;
  readonly absenceCalendarId: string | null;
  /** Of an `ask`; otherwise null. */
  readonly asking: StoredAsking | null;
  /** Names of members, by account user id. */
  readonly names: Readonly<Record<string, string>>;
  readonly scheduleNames: Readonly<Record<string, string>>;
};

/** An absence for which people are or were asked. */
export type AskingAbsence = StoredAbsence & { readonly asking: StoredAsking };

function toStored({
  askingStatus: status,
  askedAt,
  askingExpiresAt,
  askingEndedAt: endedAt,
  returnStartAt: startAt,
  returnEndAt: endAt,
  hours,
  asked,
  ...row
}: RowOf<typeof columns>): StoredAbsence {
  if (status === null) return { ...row, asking: null };
  const inReturn = startAt === null || endAt === null ? null : { startAt, endAt };
  const asking = {
    ...{ status, asked, endedAt, inReturn, hours: hours ?? [] },
    askedAt: askedAt ?? row.createdAt,
    expiresAt: askingExpiresAt ?? row.startAt,
  };
  return { ...row, asking };
}

/** Selects the absence of an identifier; no row if there is none. */
export const selectStoredAbsence = (
  accountId: string,
  identifier: Identifier,
): Select<StoredAbsence> =>
  mapped(
    select(
      columns,
      sql`from ${absences} where ${absences.accountId} = ${accountId}
        and ${identified(absences, identifier)}`,
    ),
    toStored,
  );

/** An absence, if people are or were asked. */
export const askingOf = (absence: StoredAbsence | undefined): AskingAbsence | null =>
  absence?.asking ? { ...absence, asking: absence.asking } : null;

/** When an absence asked again (epoch ms); null: it asks since it was created. */
export const roundOf = ({ asking, createdAt }: AskingAbsence): number | null =>
  asking.askedAt === createdAt ? null : asking.askedAt;

/** Who has accepted; null: nobody. */
export const acceptedBy = ({ asking }: AskingAbsence): string | null =>
  asking.asked.find(({ answer }) => answer === "accepted")?.accountUserId ?? null;

/** The name of a person whom an absence concerns. */
export const nameIn = ({ names }: Pick<StoredAbsence, "names">, accountUserId: string): string =>
  names[accountUserId] ?? "Former member";

/** Selects the number of absences of a person for which people are asked at `now` (epoch ms). */
export const countOpenAskings = (accountId: string, accountUserId: string, now: number) =>
  select(
    { count: sql<number>`count(*)` },
    sql`from ${absences} where ${absences.accountUserId} = ${accountUserId}
      and ${absences.accountId} = ${accountId} and ${absences.endAt} > ${now}
      and ${absences.askingStatus} = 'open' and ${absences.askingExpiresAt} > ${now}`,
  );
