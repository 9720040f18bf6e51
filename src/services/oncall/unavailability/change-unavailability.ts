// Changes and deletes unavailabilities. Those of an absence calendar are read-only.
import { eq, sql } from "drizzle-orm";
import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import type { UpdateUnavailability } from "../../../contract/calendars/unavailability-parameters.ts";
import { keepServed } from "../../../db/oncall/absences/absence-rows.ts";
import {
  selectAbsentPerson,
  selectCoverState,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import { unavailabilityRecords } from "../../../db/oncall/unavailability/unavailability-records.ts";
import { oneRecord, selectRecord } from "../../../db/records/records.ts";
import { unavailabilities } from "../../../db/schema/calendars/calendar-imports.ts";
import { build } from "../../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import { batch, select } from "../../../db/shared/select.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { refuseAbsencesOf } from "./away-person.ts";
import { commitUnavailability } from "./commit-unavailability.ts";
import { intervalFaults } from "./interval-faults.ts";

const IMPORTED = refuse(
  "conflict",
  "the unavailability belongs to an absence calendar and is read-only; change it in the calendar",
);

/** What decides whether an unavailability may be changed, and what follows from the change. */
async function readStored({ db, actor, now }: Context<MemberActor>, identifier: Identifier) {
  const { accountId } = actor;
  const { id, updatedAt, accountUserId, startAt, endAt, absenceCalendarId } = unavailabilities;
  const scope = { accountId, now, peopleIn: selectAbsentPerson(accountId, identifier) };
  const [[stored], [before], covers, events, absences] = await batch(db, [
    select(
      { id, updatedAt, accountUserId, startAt, endAt, absenceCalendarId },
      sql`from ${unavailabilities} where ${oneRecord(unavailabilities, accountId, identifier)}`,
    ),
    selectRecord(unavailabilityRecords({ actor }), accountId, identifier),
    ...selectCoverState(scope),
  ]);
  if (!stored || !before) return notFound("unavailability");
  const forbidden = refuseAbsencesOf(actor, stored.accountUserId);
  if (forbidden) return forbidden;
  if (stored.absenceCalendarId !== null) return IMPORTED;
  const state = toCoverState(scope, covers, events, absences);
  return { stored, before, state };
}

/**
 * Changes an unavailability (contract 2, Unavailability).
 *
 * @returns the unavailability; 403 for another person's without the role admin; 404; 409 for one of
 *   an absence calendar; 422 for an end that is not after the start
 */
export function updateUnavailability(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateUnavailability,
): Promise<Unavailability | Refusal> {
  const { now } = context;
  return retryOnConflict(async () => {
    const read = await readStored(context, identifier);
    if (isRefusal(read)) return read;
    const { stored, before, state } = read;
    const interval = {
      startAt: body.start_datetime ?? stored.startAt,
      endAt: body.end_datetime ?? stored.endAt,
    };
    const faults = intervalFaults(interval);
    if (faults.length > 0) return refuseFields(faults);
    const columns = {
      ...interval,
      ...(body.reason !== undefined && { reason: body.reason?.trim() || null }),
      ...(body.meta !== undefined && { meta: body.meta }),
      servesFrom: now,
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const { id, accountUserId } = stored;
    const writes = [
      assertUnchanged(unavailabilities, id, stored.updatedAt),
      keepServed(unavailabilities, sql`${unavailabilities.id} = ${id}`, now),
      build.update(unavailabilities).set(columns).where(eq(unavailabilities.id, id)),
    ];
    const time = { accountUserId, ...interval };
    return commitUnavailability(context, { verb: "update", id, before, writes, state, time });
  });
}

/**
 * Deletes an unavailability.
 *
 * @returns null; 403 for another person's without the role admin; 404; 409 for one of an absence
 *   calendar
 */
export function deleteUnavailability(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { now } = context;
  return retryOnConflict(async () => {
    const read = await readStored(context, identifier);
    if (isRefusal(read)) return read;
    const { stored, before, state } = read;
    const { id } = stored;
    const writes = [
      assertUnchanged(unavailabilities, id, stored.updatedAt),
      keepServed(unavailabilities, sql`${unavailabilities.id} = ${id}`, now),
      build.delete(unavailabilities).where(eq(unavailabilities.id, id)),
    ];
    const change = { verb: "delete", id, before, writes, state, time: stored } as const;
    await commitUnavailability(context, change);
    return null;
  });
}
