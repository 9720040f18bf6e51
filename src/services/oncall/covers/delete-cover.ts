import { eq, sql } from "drizzle-orm";
import { coverRecords } from "../../../db/oncall/covers/cover-records.ts";
import {
  COVER_ATTEMPTS,
  selectCoverState,
  toCover,
  toCoverState,
} from "../../../db/oncall/covers/cover-state.ts";
import { planStored, releaseOverrides, writePlan } from "../../../db/oncall/covers/cover-writes.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { covers } from "../../../db/schema/calendars/covers.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOf } from "./commit-cover.ts";

/**
 * Takes a cover back: its overrides that have not begun are deleted, and running ones end now.
 *
 * @returns null; 404; 409 when the schedules change at the same time
 */
export function deleteCover(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const scope = { accountId, now, cover: identifier };
    const [stored, events, away, [before]] = await batch(db, [
      ...selectCoverState(scope),
      selectRecord(coverRecords, accountId, identifier),
    ]);
    if (!before) return notFound("cover");
    const state = toCoverState(scope, stored, events, away);
    const { id } = before;
    const plan = planStored(state, now, {
      covers: stored.filter((it) => it.id !== id).map(toCover),
    });
    const writes = [
      ...state.unchanged,
      ...writePlan(accountId, plan, now),
      releaseOverrides(accountId, sql`${id}`),
      build.delete(covers).where(eq(covers.id, id)),
    ];
    const onCall = onCallChangeOf(plan, Date.parse(before.end_datetime));
    await commitChange(context, {
      verb: "delete",
      records: coverRecords,
      id,
      before,
      writes,
      onCall,
    });
    return null;
  }, COVER_ATTEMPTS);
}
