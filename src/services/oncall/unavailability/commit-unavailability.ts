// Writes an unavailability. Nothing else is stored for it: rotations that skip who is unavailable are
// calculated from it.
import type { SQLWrapper } from "drizzle-orm";
import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import type { CoverState } from "../../../db/oncall/absences/cover-rows.ts";
import { unavailabilityRecords } from "../../../db/oncall/unavailability/unavailability-records.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import { absencesAfter, withAbsences } from "../../../domain/oncall/absences/absent-hours.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOf, selectConcerned } from "../covers/commit-cover.ts";

type UnavailabilityChange = {
  readonly verb: "create" | "update" | "delete";
  readonly id: string;
  /** The record as it was read; null for a new one. */
  readonly before: Unavailability | null;
  /** The preconditions and writes. */
  readonly writes: readonly SQLWrapper[];
  readonly state: Pick<CoverState, "absences" | "schedules">;
  /** The person, and when they are away: after the change, or before it if it is deleted. */
  readonly time: Pick<Absence, "accountUserId" | "startAt" | "endAt">;
};

/** The unavailability after the change; 404 once it is deleted. */
export async function commitUnavailability(
  context: Context<MemberActor>,
  { verb, id, before, writes, state, time }: UnavailabilityChange,
): Promise<Unavailability | Refusal> {
  const { actor, now } = context;
  const absence = unavailabilityAt(id, time, now);
  const change = { replacedIds: [id], absences: verb === "delete" ? [] : [absence] };
  const schedules = withAbsences(state.schedules, absencesAfter(state.absences, change, now));
  const until = Math.max(time.endAt, before ? Date.parse(before.end_datetime) : 0);
  const { after } = await commitChange(context, {
    verb,
    records: unavailabilityRecords({ actor }),
    id,
    before,
    writes,
    concerns: selectConcerned(state.schedules, schedules, [absence]),
    onCall: onCallChangeOf(change, [time.accountUserId], until),
  });
  return after ?? notFound("unavailability");
}

/** An unavailability that is entered or changed at `now` (epoch ms). */
export const unavailabilityAt = (
  id: string,
  { accountUserId, startAt, endAt }: UnavailabilityChange["time"],
  now: number,
): Absence => ({
  ...{ id, accountUserId, startAt, endAt, instead: "default" },
  ...{ coveringAccountUserId: null, scheduleIds: null, decidedAt: now },
});
