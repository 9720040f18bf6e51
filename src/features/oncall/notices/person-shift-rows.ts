// Reads the schedules in which a person has shifts. One round trip.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import { schedules } from "../../schema/oncall.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { schedulesOfPerson } from "../schedules/person-schedules.ts";

export type PersonSchedule = { readonly name: string; readonly schedule: OnCallSchedule };

/** Reads an account user's schedules from `from` (epoch ms) on. Throws if D1 does. */
export async function readPersonSchedules(
  db: Connection,
  accountId: string,
  accountUserId: string,
  from: number,
): Promise<readonly PersonSchedule[]> {
  const theirs = schedulesOfPerson(accountId, accountUserId, from);
  const [rows, absences, past, named] = await batch(db, [
    ...selectOnCall(accountId, theirs, from),
    select(
      { id: schedules.id, name: schedules.name },
      sql`from ${schedules}
        where ${schedules.accountId} = ${accountId} and ${schedules.id} in (${theirs})`,
    ),
  ]);
  const found = toOnCallSchedules(rows, absences, past);
  return named.map(({ id, name }) => ({ name, schedule: found.get(id) ?? EMPTY_SCHEDULE }));
}
