// Decides all covers of an account with one of them changed, and writes the cover and the overrides
// in one transaction.
import type { SQLWrapper } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  Cover as CoverRecord,
  CoverWithShifts,
} from "../../../contract/oncall/covers/cover.ts";
import { coverRecords, selectCoverShifts } from "../../../db/oncall/covers/cover-records.ts";
import { type CoverState, toCover } from "../../../db/oncall/covers/cover-state.ts";
import { planStored, writePlan } from "../../../db/oncall/covers/cover-writes.ts";
import {
  type Cover,
  isOverlapping,
  MOST_COVER_PARTS,
} from "../../../domain/oncall/covers/cover.ts";
import type { CoverPlan } from "../../../domain/oncall/covers/cover-plan.ts";
import { coverWarnings } from "../../../domain/oncall/covers/cover-warnings.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";
import { showCover, showWarnings } from "./show-cover.ts";

type CoverChange = {
  readonly verb: string;
  /** The record as it was read; null for a new cover. */
  readonly before: CoverRecord | null;
  /** The cover with the change. */
  readonly cover: Cover;
  readonly state: CoverState;
  /** Writes the cover's row, once the preconditions hold. */
  readonly write: SQLWrapper;
};

/**
 * Creates or changes a cover.
 *
 * @returns the cover; 422 if another one of the person overlaps it, or it has too many shifts
 */
export async function commitCover(
  context: Context,
  { verb, before, cover, state, write }: CoverChange,
): Promise<CoverWithShifts | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const others = state.covers.filter(({ id }) => id !== cover.id).map(toCover);
  const covers = [...others, cover];
  const plan = planStored(state, now, { covers });
  const decided = plan.decided.get(cover.id) ?? { parts: [], unfilled: [], isOverLimit: false };
  const faults = [...overlapFaults(cover, others), ...limitFaults(decided.isOverLimit)];
  if (faults.length > 0) return refuseFields(faults);
  const was = state.covers.find(({ id }) => id === cover.id);
  const onCall = {
    ...onCallChangeOf(plan, Math.max(cover.endAt, was?.endAt ?? 0)),
    warnings: showWarnings(coverWarnings(cover, covers, decided)),
  };
  const writes = [...state.unchanged, write, ...writePlan(accountId, plan, now)];
  const { id } = cover;
  const change = { verb, records: coverRecords, id, before, writes, onCall };
  const shifts = selectCoverShifts(accountId, sql`${id}`);
  const { after, rows } = await commitChange(context, change, [shifts]);
  if (!after) return notFound("cover");
  return showCover(after, rows[0], { cover, covers, decided, placed: plan.after, now });
}

/** What a plan does to who is on call, for its preview. */
export function onCallChangeOf(plan: CoverPlan, until: number): OnCallChange {
  const events = [...plan.changed, ...plan.added];
  const changed = plan.changed.map(({ id }) => id);
  const { schedulesOf } = plan.after;
  const ids = [...plan.removed, ...events.map(({ id }) => id)];
  const scheduleIds = [...new Set(ids.flatMap((id) => schedulesOf.get(id) ?? []))];
  return {
    replacedIds: [...plan.removed, ...changed],
    events,
    schedulesBefore: scheduleIds,
    schedulesAfter: scheduleIds,
    schedulesOf,
    until,
  };
}

function overlapFaults(cover: Cover, others: readonly Cover[]): FieldError[] {
  const same = others.find(
    (it) => it.accountUserId === cover.accountUserId && isOverlapping(cover, it),
  );
  if (!same) return [];
  const [from, to] = [formatInstant(same.startAt), formatInstant(same.endAt)];
  const name = prefixIdOf("cover", same.id);
  const message = `the person is already covered from ${from} to ${to} by ${name}: change that cover`;
  return [{ field: "start_datetime", message }];
}

function limitFaults(isOverLimit: boolean): FieldError[] {
  const message = `the person has over ${MOST_COVER_PARTS} shifts in this time: cover less at once`;
  return isOverLimit ? [{ field: "end_datetime", message }] : [];
}
