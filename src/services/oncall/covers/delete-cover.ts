import { eq, sql } from "drizzle-orm";
import { keepServed } from "../../../db/oncall/absences/absence-rows.ts";
import { coverRecords } from "../../../db/oncall/absences/cover-records.ts";
import {
  COVER_ATTEMPTS,
  selectCoverState,
  toCover,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { covers } from "../../../db/schema/calendars/covers.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOf, selectConcerned } from "./commit-cover.ts";

/**
 * Takes a cover back from now on: who was on call by it stays.
 *
 * @returns null; 404; 409 when covers change at the same time
 */
export function deleteCover(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const scope = { accountId, now, cover: identifier };
    const [stored, events, absences, [before]] = await batch(db, [
      ...selectCoverState(scope),
      selectRecord(coverRecords, accountId, identifier),
    ]);
    const state = toCoverState(scope, stored, events, absences);
    const cover = stored.find(({ id }) => id === before?.id);
    if (!before || !cover) return notFound("cover");
    const { id, accountUserId, endAt } = cover;
    const change = { replacedIds: [id], absences: [] };
    await commitChange(context, {
      ...{ verb: "delete", records: coverRecords, id, before },
      writes: [
        state.unchanged,
        keepServed(covers, sql`${covers.id} = ${id}`, now),
        build.delete(covers).where(eq(covers.id, id)),
      ],
      concerns: selectConcerned(state.schedules, new Map(), [toCover(cover)]),
      onCall: onCallChangeOf(change, [accountUserId], endAt),
    });
    return null;
  }, COVER_ATTEMPTS);
}
