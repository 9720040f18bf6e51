// Reads the absences of the people of a schedule.
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Away } from "../../../domain/oncall/absences/conflicts.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { absences } from "../../schema/absences.ts";
import { selectRosterPeople } from "../on-call/oncall-rows.ts";
import { visibleReason } from "./absence-rows.ts";

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
      id: absences.id,
      accountUserId: absences.accountUserId,
      startAt: absences.startAt,
      endAt: absences.endAt,
      reason: visibleReason(actor),
    },
    sql`from ${absences} where ${absences.accountId} = ${actor.accountId}
      and ${absences.endAt} > ${from} and ${absences.startAt} < ${to}
      and ${absences.askingStatus} is not 'cancelled'
      and (${absences.scheduleIds} is null or exists (select 1
        from json_each(${absences.scheduleIds}) as named where named.value in (${schedules})))
      and ${absences.accountUserId} in (
        ${selectRosterPeople(actor.accountId, schedules, from)})`,
  );
