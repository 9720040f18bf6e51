// Reads the schedules in which a person has shifts. One round trip.
import { sql } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { schedules } from "../../schema/oncall.ts";
import type { Connection } from "../../shared/database.ts";
import { batch, select } from "../../shared/select.ts";
import { schedulesOfPerson } from "../feed-rows.ts";
import { selectOnCallEvents, toOnCallEvents } from "../oncall-rows.ts";

export type PersonSchedule = { readonly name: string; readonly events: readonly OnCallEvent[] };

/** Reads an account user's schedules from `from` (epoch ms) on. Throws if D1 does. */
export async function readPersonSchedules(
  db: Connection,
  accountId: string,
  accountUserId: string,
  from: number,
): Promise<readonly PersonSchedule[]> {
  const theirs = schedulesOfPerson(accountId, accountUserId, from);
  const [rows, named] = await batch(db, [
    selectOnCallEvents(accountId, theirs, from),
    select(
      { id: schedules.id, name: schedules.name },
      sql`from ${schedules}
        where ${schedules.accountId} = ${accountId} and ${schedules.id} in (${theirs})`,
    ),
  ]);
  const events = toOnCallEvents(rows);
  return named.map(({ id, name }) => ({ name, events: events.get(id) ?? [] }));
}
