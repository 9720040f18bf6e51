// The writes of absences for which people are asked. Every one raises `updated_at` of the absence,
// also where only an answer changes, so that a decision that was made before is noticed.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AskedPerson, Asking } from "../../../domain/oncall/absences/asking.ts";
import { nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { absencePeople, absences, type RequestedHours } from "../../schema/absences.ts";
import { keepServed } from "./absence-rows.ts";
import type { AskingAbsence } from "./stored-absences.ts";

/** Inserts the people who are asked, in their order, instead of those who were. */
export const replaceAsked = (
  accountId: string,
  absenceId: string,
  accountUserIds: readonly string[],
): readonly SQL[] => [
  sql`delete from ${absencePeople} where ${absencePeople.absenceId} = ${absenceId}`,
  sql`insert into ${absencePeople} (account_id, absence_id, account_user_id, position)
    select ${accountId}, ${absenceId}, value, key from json_each(${JSON.stringify(accountUserIds)})`,
];

/** What accepting makes of an absence. */
type Taken = { readonly acceptedBy: string; readonly hours: readonly RequestedHours[] };

/**
 * Writes the state of the asking and the answers that changed. `now` in epoch ms.
 *
 * @param taken once somebody has accepted
 */
export function writeAsking(
  stored: AskingAbsence,
  next: Asking,
  now: number,
  taken: Taken | null = null,
): readonly SQLWrapper[] {
  const answered = next.asked.filter((it) => !stored.asking.asked.includes(it));
  const isServed = taken !== null || next.status === "cancelled";
  return [
    ...answered.map((it) => writeAnswer(stored.id, it)),
    ...(isServed ? [keepServed(sql`${absences.id} = ${stored.id}`, now)] : []),
    sql`update ${absences} set asking_status = ${next.status},
        asking_ended_at = ${next.status === "open" ? null : now},
        updated_at = ${nextUpdatedAt(stored.updatedAt, now)}
        ${isServed ? sql`, decided_at = ${now}, serves_from = ${now}` : sql``}
        ${
          taken
            ? sql`, covering_account_user_id = ${taken.acceptedBy}, hours = ${JSON.stringify(taken.hours)}`
            : sql``
        }
      where ${absences.id} = ${stored.id}`,
  ];
}

const writeAnswer = (
  absenceId: string,
  { accountUserId, answer, answeredAt, channel }: AskedPerson,
): SQL => sql`update ${absencePeople}
  set answer = ${answer}, answered_at = ${answeredAt}, channel = ${channel}
  where ${absencePeople.absenceId} = ${absenceId}
    and ${absencePeople.accountUserId} = ${accountUserId}`;

/** Ends an asking that has expired at `now` (epoch ms), unless it is over. */
export const expireAsking = (accountId: string, id: string, now: number): SQL =>
  sql`update ${absences} set asking_status = 'expired', asking_ended_at = asking_expires_at,
      updated_at = max(${now}, updated_at + 1)
    where ${absences.accountId} = ${accountId} and ${absences.id} = ${id}
      and ${absences.askingStatus} = 'open' and ${absences.askingExpiresAt} <= ${now}`;

/**
 * The writes for a person who leaves the account at `now` (epoch ms): what their absences did stays,
 * and what they did for others; nobody is asked for them any more, and they count as having declined
 * what they were asked.
 */
export function absenceDepartureWrites(
  accountId: string,
  person: string,
  now: number,
): readonly SQLWrapper[] {
  const isOpen = sql`${absences.accountId} = ${accountId} and ${absences.askingStatus} = 'open'
    and ${absences.askingExpiresAt} > ${now} and ${absences.endAt} > ${now}`;
  const isAsked = sql`${absences.id} in (select ${absencePeople.absenceId}
    from ${absencePeople} where ${absencePeople.accountId} = ${accountId}
      and ${absencePeople.accountUserId} = ${person})`;
  const hasOthers = sql`exists (select 1 from ${absencePeople}
    where ${absencePeople.absenceId} = ${absences.id} and ${absencePeople.answer} <> 'declined')`;
  const isOwn = sql`${absences.accountId} = ${accountId}
    and ${absences.accountUserId} = ${person}`;
  const isCovering = sql`${absences.accountId} = ${accountId}
    and ${absences.coveringAccountUserId} = ${person}`;
  return [
    keepServed(sql`(${isOwn} or ${isCovering})`, now),
    sql`update ${absences} set serves_from = ${now}, updated_at = max(updated_at + 1, ${now})
      where ${isCovering}`,
    sql`delete from ${absences} where ${isOwn} and ${absences.askingStatus} is null`,
    sql`update ${absences} set asking_status = 'cancelled', asking_ended_at = ${now},
        serves_from = ${now}, updated_at = max(updated_at + 1, ${now})
      where ${isOwn} and ${isOpen}`,
    sql`update ${absencePeople} set answer = 'declined', answered_at = ${now}
      where ${absencePeople.accountId} = ${accountId}
        and ${absencePeople.accountUserId} = ${person} and ${absencePeople.answer} = 'pending'
        and ${absencePeople.absenceId} in (select ${absences.id} from ${absences} where ${isOpen})`,
    sql`update ${absences} set updated_at = max(${now}, updated_at + 1),
        asking_ended_at = iif(${hasOthers}, null, ${now}),
        asking_status = iif(${hasOthers}, 'open', 'declined')
      where ${isOpen} and ${isAsked}`,
  ];
}
