import type { CoverWithShifts } from "../../../contract/oncall/covers/cover.ts";
import type { CreateCover } from "../../../contract/oncall/covers/cover-parameters.ts";
import {
  COVER_ATTEMPTS,
  coverValues,
  selectCoverState,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { covers } from "../../../db/schema/calendars/covers.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { type Cover, MOST_COVERS } from "../../../domain/oncall/absences/cover.ts";
import {
  type FieldError,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { commitCover } from "./commit-cover.ts";
import { coveringFaults, samePersonFaults, timeFaults } from "./cover-faults.ts";
import { referencesOf } from "./cover-references.ts";
import { readCover } from "./read-cover.ts";

const TOO_MANY = refuse("invalid", `an account may have ${MOST_COVERS} covers that have not ended`);

/**
 * Covers an absent person (contract 2, Covers).
 *
 * @param id the ULID of the new cover
 * @returns the cover; 422 for invalid times or unknown records, or if it overlaps another cover of
 *   the person; 409 when covers change at the same time
 */
export function createCover(
  context: Context,
  id: string,
  body: CreateCover,
): Promise<CoverWithShifts | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const scope = { accountId, now, people: [body.account_user_id] };
    const reads = selectCoverState(scope);
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), reads);
    const state = toCoverState(scope, rows[0], rows[1], rows[2]);
    // A retry of a create whose answer was lost.
    if (state.covers.some((it) => it.id === id))
      return readCover(context, { form: "id", value: id });
    const faults = [
      ...timeFaults(body.start_datetime, body.end_datetime),
      ...pastFaults(body, now),
    ];
    faults.push(...coveringFaults(body.covered_by, Boolean(body.covering_account_user_id)));
    if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
    const [accountUserId = ""] = resolved.idsOf("account_user_id");
    const scheduleIds = resolved.idsOf("schedule_ids");
    const cover: Cover = {
      id,
      accountUserId,
      startAt: body.start_datetime,
      endAt: body.end_datetime,
      instead: body.covered_by,
      coveringAccountUserId: resolved.idsOf("covering_account_user_id")[0] ?? null,
      scheduleIds: scheduleIds.length > 0 ? scheduleIds : null,
      decidedAt: now,
      released: [],
    };
    faults.push(...samePersonFaults(cover));
    if (faults.length > 0) return refuseFields(faults);
    if (state.covers.length >= MOST_COVERS) return TOO_MANY;
    const write = build.insert(covers).values({
      ...coverValues(cover),
      ...newIdentity("cover", now, id),
      accountId,
      servesFrom: now,
      reason: body.reason || null,
      ...(body.meta && { meta: body.meta }),
    });
    return commitCover(context, { verb: "create", before: null, cover, state, writes: [write] });
  }, COVER_ATTEMPTS);
}

function pastFaults(
  { start_datetime: startAt, end_datetime: endAt }: CreateCover,
  now: number,
): FieldError[] {
  const message = "end_datetime must be in the future";
  return endAt <= now && startAt < endAt ? [{ field: "end_datetime", message }] : [];
}
