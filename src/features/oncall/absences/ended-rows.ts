// Deletes absences that ended before an instant.
import { type SQL, sql } from "drizzle-orm";
import { absences } from "../../schema/absences.ts";
import { accounts } from "../../schema/people.ts";
import { keepServed } from "./absence-rows.ts";

/** Deletes absences that ended before the instant (epoch ms). Who served by them stays. */
export function deleteEndedAbsences(before: number, most: number): readonly [SQL, SQL] {
  const { id, accountId, endAt, returnEndAt } = absences;
  const ended = sql`${id} in (select ${id} from ${accounts} cross join ${absences}
      on ${accountId} = ${accounts.id} and ${endAt} < ${before}
    where coalesce(${returnEndAt}, 0) < ${before}
    order by ${accounts.id}, ${endAt}, ${id} limit ${most})`;
  return [keepServed(ended, before), sql`delete from ${absences} where ${ended}`];
}
