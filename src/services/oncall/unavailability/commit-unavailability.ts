// Writes an unavailability with what it changes in rotations that skip who is unavailable, in one
// transaction.
import type { SQLWrapper } from "drizzle-orm";
import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import type { CoverState } from "../../../db/oncall/covers/cover-state.ts";
import { planStored, writePlan } from "../../../db/oncall/covers/cover-writes.ts";
import { unavailabilityRecords } from "../../../db/oncall/unavailability/unavailability-records.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { TimeAway } from "../../../domain/oncall/covers/absences.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOf } from "../covers/commit-cover.ts";

type UnavailabilityChange = {
  readonly verb: "create" | "update" | "delete";
  readonly id: string;
  /** The record as it was read; null for a new one. */
  readonly before: Unavailability | null;
  /** The preconditions and writes of the unavailability itself. */
  readonly writes: readonly SQLWrapper[];
  readonly state: CoverState;
  /** When the person is away after the change; null once it is deleted. */
  readonly time: TimeAway | null;
};

/** The unavailability after the change; 404 once it is deleted. */
export async function commitUnavailability(
  context: Context<MemberActor>,
  { verb, id, before, writes, state, time }: UnavailabilityChange,
): Promise<Unavailability | Refusal> {
  const { actor, now } = context;
  const others = state.unavailable.filter((it) => it.id !== id);
  const plan = planStored(state, now, { unavailable: time ? [...others, time] : others });
  const until = Math.max(time?.endAt ?? 0, before ? Date.parse(before.end_datetime) : 0);
  const { after } = await commitChange(context, {
    verb,
    records: unavailabilityRecords({ actor }),
    id,
    before,
    writes: [...state.unchanged, ...writes, ...writePlan(actor.accountId, plan, now)],
    onCall: onCallChangeOf(plan, until),
  });
  return after ?? notFound("unavailability");
}
