// Reads the absences of the people of a schedule.
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Away } from "../../../domain/oncall/unavailability/conflicts.ts";
import { unavailabilities } from "../../schema/calendars/calendar-imports.ts";
import { type Select, select } from "../../shared/select.ts";
import { selectRosterPeople } from "../oncall-rows.ts";
import { visibleReason } from "./unavailability-records.ts";

/** An absence, with the reason as the caller may see it. */
export type ReadAway = Away & { readonly reason: string | null };

/**
 * Selects the absences within [from, to) (epoch ms) of the people of schedules.
 *
 * @param schedules a select of one column of schedule ids
 */
export const selectAway = (
  actor: MemberActor,
  schedules: SQL,
  from: number,
  to: number,
): Select<ReadAway> =>
  select(
    {
      id: unavailabilities.id,
      accountUserId: unavailabilities.accountUserId,
      startAt: unavailabilities.startAt,
      endAt: unavailabilities.endAt,
      reason: visibleReason(actor),
    },
    sql`from ${unavailabilities} where ${unavailabilities.accountId} = ${actor.accountId}
      and ${unavailabilities.endAt} > ${from} and ${unavailabilities.startAt} < ${to}
      and ${unavailabilities.accountUserId} in (
        ${selectRosterPeople(actor.accountId, schedules, from)})`,
  );
