import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { nextUpdatedAt, retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { timeFaults } from "./absence-faults.ts";
import { absenceRecords } from "./absence-records.ts";
import { referencesOf } from "./absence-references.ts";
import { keepServed } from "./absence-rows.ts";
import { ABSENCE_ATTEMPTS, selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import { planUpdate } from "./absence-update.ts";
import { selectRotationPeople } from "./asked-people.ts";
import { replaceAsked } from "./asking-writes.ts";
import { commitAbsence, refuseBeside } from "./commit-absence.ts";
import type { AbsenceWithShifts } from "./contract.ts";
import { OF_CALENDAR } from "./delete-absence.ts";
import type { UpdateAbsence } from "./parameters.ts";
import { planAsking } from "./plan-asking.ts";
import { selectStoredAbsence } from "./stored-absences.ts";

/**
 * Changes an absence from now on; what was served stays. An absence that has another `instead` than
 * `ask` asks nobody any more; one whose asking is over asks again if it is told whom.
 *
 * @returns the absence; 404; 409 for one of an absence calendar, or when absences change at the same
 *   time; 422 as for a new absence, and for what cannot change while people are asked
 */
export const updateAbsence = (
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAbsence,
): Promise<AbsenceWithShifts | Refusal> =>
  retryOnConflict(() => attemptUpdate(context, identifier, body), ABSENCE_ATTEMPTS);

async function attemptUpdate(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAbsence,
): Promise<AbsenceWithShifts | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectStoredAbsence(accountId, identifier),
    selectRecord(absenceRecords(context), accountId, identifier),
    selectRotationPeople(accountId, body.event_id),
  ]);
  const [[stored], [before], rotation] = rows;
  if (!stored || !before) return notFound("absence");
  if (stored.absenceCalendarId !== null) return OF_CALENDAR;
  if (!resolved.ok) {
    const { start_datetime: startAt = stored.startAt, end_datetime: endAt = stored.endAt } = body;
    return refuseFields([...timeFaults(startAt, endAt), ...resolved.errors]);
  }
  const { idsOf } = resolved;
  const planned = planUpdate({ stored, body, idsOf, rotation, now });
  if (isRefusal(planned)) return planned;
  const { record, draft, isDecided } = planned;

  const people = [record.accountUserId, ...(draft?.asked ?? [])];
  const scope = { accountId, now, absence: identifier, people };
  const [decided, events, served, past] = await batch(db, selectAbsenceState(scope));
  const state = toAbsenceState(scope, decided, events, served, past);
  const beside = isDecided ? refuseBeside(record, state.decided, now) : null;
  if (beside) return beside;
  const plan = draft && (await planAsking(context, record, draft, state));
  if (isRefusal(plan)) return plan;
  const { id, asking, ...columns } = record;
  const write = build
    .update(absences)
    .set({
      ...columns,
      ...(asking === null ? NOBODY_ASKED : { askingExpiresAt: asking.expiresAt }),
      ...plan?.columns,
      ...(isDecided && { servesFrom: now }),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
      ...(body.reason !== undefined && { reason: body.reason?.trim() || null }),
      meta: body.meta,
    })
    .where(eq(absences.id, id));
  const writes: readonly SQLWrapper[] = [
    ...(plan?.preconditions ?? []),
    ...(isDecided ? [keepServed(sql`${absences.id} = ${id}`, now)] : []),
    write,
    ...(asking === null ? replaceAsked(accountId, id, []) : (plan?.writes ?? [])),
  ];
  const change = { verb: "update", before, record, state, writes, onCall: plan?.onCall } as const;
  return commitAbsence(context, change);
}

const NOBODY_ASKED = {
  ...{ askingStatus: null, askedAt: null, askingExpiresAt: null, askingEndedAt: null },
  ...{ returnStartAt: null, returnEndAt: null, hours: null },
};
