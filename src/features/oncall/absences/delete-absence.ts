import { eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { absenceRecords } from "./absence-records.ts";
import { keepServed } from "./absence-rows.ts";
import { ABSENCE_ATTEMPTS, selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import { onCallChangeOf, selectConcerned } from "./commit-absence.ts";
import { selectStoredAbsence } from "./stored-absences.ts";

/** The refusal of a change of an absence that a calendar has. */
export const OF_CALENDAR = refuse(
  "conflict",
  "the absence belongs to an absence calendar and is read-only; change it in the calendar",
);

/**
 * Takes an absence back from now on: who was on call by it stays. People who are asked are told.
 *
 * @returns null; 404; 409 for one of an absence calendar, or when absences change at the same time
 */
export function deleteAbsence(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const scope = { accountId, now, absence: identifier };
    const records = absenceRecords(context);
    const [decided, events, served, past, [before], [stored]] = await batch(db, [
      ...selectAbsenceState(scope),
      selectRecord(records, accountId, identifier),
      selectStoredAbsence(accountId, identifier),
    ]);
    if (!before || !stored) return notFound("absence");
    if (stored.absenceCalendarId !== null) return OF_CALENDAR;
    const state = toAbsenceState(scope, decided, events, served, past);
    const { id, accountUserId, endAt } = stored;
    const change = { replacedIds: [id], absences: [] };
    await commitChange(context, {
      ...{ verb: "delete", records, id, before },
      writes: [
        state.unchanged,
        keepServed(sql`${absences.id} = ${id}`, now),
        build.delete(absences).where(eq(absences.id, id)),
      ],
      concerns: selectConcerned(state.schedules, new Map(), [stored]),
      onCall: onCallChangeOf(change, [accountUserId], endAt),
      ...(stored.asking && { irreversible: "asked" as const }),
    });
    return null;
  }, ABSENCE_ATTEMPTS);
}
