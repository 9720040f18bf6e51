import { eq, sql } from "drizzle-orm";
import type { CoverWithShifts } from "../../../contract/oncall/covers/cover.ts";
import type { UpdateCover } from "../../../contract/oncall/covers/cover-parameters.ts";
import { keepServed } from "../../../db/oncall/absences/absence-rows.ts";
import { coverRecords } from "../../../db/oncall/absences/cover-records.ts";
import {
  COVER_ATTEMPTS,
  coverValues,
  selectCoverState,
  toCover,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { type Resolved, resolveWith } from "../../../db/records/references.ts";
import { covers } from "../../../db/schema/calendars/covers.ts";
import { build } from "../../../db/shared/database.ts";
import { nextUpdatedAt, retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Cover } from "../../../domain/oncall/absences/cover.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { commitCover } from "./commit-cover.ts";
import { coveringFaults, samePersonFaults, timeFaults } from "./cover-faults.ts";
import { referencesOf } from "./cover-references.ts";

/**
 * Changes a cover from now on; what was served stays.
 *
 * @returns the cover; 404; 409 when covers change at the same time; 422 as for a new cover
 */
export const updateCover = (
  context: Context,
  identifier: Identifier,
  body: UpdateCover,
): Promise<CoverWithShifts | Refusal> => changeCover(context, identifier, body, "update");

/**
 * Covers the hours again that were changed or released by hand.
 *
 * @returns the cover; 404; 409 when covers change at the same time
 */
export const refreshCover = (
  context: Context,
  identifier: Identifier,
): Promise<CoverWithShifts | Refusal> => changeCover(context, identifier, {}, "refresh");

function changeCover(
  context: Context,
  identifier: Identifier,
  body: UpdateCover,
  verb: "update" | "refresh",
): Promise<CoverWithShifts | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const people = body.account_user_id === undefined ? [] : [body.account_user_id];
  return retryOnConflict(async () => {
    const scope = { accountId, now, people, cover: identifier };
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
      ...selectCoverState(scope),
      selectRecord(coverRecords, accountId, identifier),
    ]);
    const [before] = rows[3];
    const state = toCoverState(scope, rows[0], rows[1], rows[2]);
    const stored = state.covers.find(({ id }) => id === before?.id);
    if (!before || !stored) return notFound("cover");
    const edited = withParameters(toCover(stored), body, resolved);
    const isDecided = verb === "refresh" || !isSameDecision(stored, edited);
    const cover = isDecided ? { ...edited, decidedAt: now, released: [] } : edited;
    const isNamed = cover.coveringAccountUserId !== null || Boolean(body.covering_account_user_id);
    const faults = isDecided && verb === "update" ? timeFaults(cover.startAt, cover.endAt) : [];
    if (isDecided && verb === "update") {
      faults.push(...coveringFaults(cover.instead, isNamed), ...samePersonFaults(cover));
    }
    if (!resolved.ok) faults.push(...resolved.errors);
    if (faults.length > 0) return refuseFields(faults);
    const { id, ...columns } = coverValues(cover);
    const write = build
      .update(covers)
      .set({
        ...columns,
        ...(isDecided && { servesFrom: now }),
        updatedAt: nextUpdatedAt(stored.updatedAt, now),
        ...(body.reason !== undefined && { reason: body.reason || null }),
        ...(body.meta !== undefined && { meta: body.meta }),
      })
      .where(eq(covers.id, id));
    const kept = isDecided ? [keepServed(covers, sql`${covers.id} = ${id}`, now)] : [];
    return commitCover(context, { verb, before, cover, state, writes: [...kept, write] });
  }, COVER_ATTEMPTS);
}

/** Only `person` has a covering person: another choice drops the one that is stored. */
function withParameters(cover: Cover, body: UpdateCover, resolved: Resolved): Cover {
  const idsOf = (field: string) => (resolved.ok ? resolved.idsOf(field) : []);
  const instead = body.covered_by ?? cover.instead;
  const named = body.covering_account_user_id;
  const unnamed = instead === "person" ? cover.coveringAccountUserId : null;
  const [accountUserId = cover.accountUserId] = idsOf("account_user_id");
  const scheduleIds = idsOf("schedule_ids");
  return {
    ...cover,
    accountUserId,
    startAt: body.start_datetime ?? cover.startAt,
    endAt: body.end_datetime ?? cover.endAt,
    instead,
    coveringAccountUserId:
      named === undefined ? unnamed : (idsOf("covering_account_user_id")[0] ?? null),
    scheduleIds:
      body.schedule_ids === undefined
        ? cover.scheduleIds
        : scheduleIds.length > 0
          ? scheduleIds
          : null,
  };
}

/** Whether the covers have the same hours and people: then what was changed by hand since stays. */
const isSameDecision = (one: Cover, other: Cover): boolean =>
  one.accountUserId === other.accountUserId &&
  one.startAt === other.startAt &&
  one.endAt === other.endAt &&
  one.instead === other.instead &&
  one.coveringAccountUserId === other.coveringAccountUserId &&
  one.scheduleIds?.toSorted().join() === other.scheduleIds?.toSorted().join();
