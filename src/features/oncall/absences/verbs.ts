import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { effectOf, NO_EFFECT } from "../on-call/on-call-effect.ts";
import { onCallChangeOf, refuseBeside, selectConcerned, writeAbsence } from "./absence-change.ts";
import { parameterFaults, samePersonFaults, timeFaults, toInterval } from "./absence-faults.ts";
import { referencesOf } from "./absence-references.ts";
import { absenceRecords, keepServed } from "./absence-rows.ts";
import { ABSENCE_ATTEMPTS, selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import { planUpdate } from "./absence-update.ts";
import { selectRotationPeople } from "./asked-people.ts";
import { replaceAsked } from "./asking-writes.ts";
import type { AbsenceWithShifts } from "./contract.ts";
import type { CreateAbsence, UpdateAbsence } from "./parameters.ts";
import { draftFaults, openAsking, planAsking } from "./plan-asking.ts";
import { readAbsence } from "./read-absence.ts";
import { selectStoredAbsence } from "./stored-absences.ts";

type AbsenceDecision = Decision<"Absence", AbsenceWithShifts>;

/**
 * Says that a person is away, and who is on call instead (contract 2, Absences). The preview of an
 * `ask` shows what happens if the first of those who are asked accepts.
 *
 * @param id the ULID of the new absence
 * @returns the absence; 422 for invalid times or unknown records, if another absence of the person
 *   decides the same, or if nobody can be asked; 409 when absences change at the same time
 */
export async function createAbsence(
  context: Context<MemberActor>,
  id: string,
  body: CreateAbsence,
): Promise<AbsenceDecision | Unwritten<AbsenceWithShifts> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const identifier = { form: "id", value: id } as const;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectRotationPeople(accountId, body.event_id),
    selectStoredAbsence(accountId, identifier),
  ]);
  const [rotation, [earlier]] = rows;
  // A retry of a create whose answer was lost.
  if (earlier) {
    return { effect: async () => NO_EFFECT, answer: () => readAbsence(context, identifier) };
  }
  const faults = parameterFaults(body, now);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const { idsOf } = resolved;
  const [accountUserId = actor.accountUserId] = idsOf("account_user_id");
  const scheduleIds = idsOf("schedule_ids");
  const instead = body.instead ?? "nobody_yet";
  const inReturn = toInterval(body.in_return);
  const startAt = body.start_datetime;
  const record: AbsenceRecord = {
    ...{ id, accountUserId, startAt, endAt: body.end_datetime, instead },
    coveringAccountUserId: idsOf("covering_account_user_id")[0] ?? null,
    scheduleIds: scheduleIds.length > 0 ? scheduleIds : null,
    decidedAt: now,
    released: [],
    asking: instead === "ask" ? openAsking(startAt, inReturn, body.expires_at) : null,
  };
  faults.push(...samePersonFaults(record));
  const isRotation = Boolean(body.event_id);
  const asked = isRotation
    ? rotation.map((it) => it.id).filter((person) => person !== accountUserId)
    : idsOf("account_user_ids");
  const draft = instead === "ask" ? { asked, isRotation, inReturn } : null;
  if (draft) faults.push(...draftFaults(draft, accountUserId));
  if (faults.length > 0) return refuseFields(faults);

  const scope = { accountId, now, absence: identifier, people: [accountUserId, ...asked] };
  const [decided, events, served, past] = await batch(db, selectAbsenceState(scope));
  const state = toAbsenceState(scope, decided, events, served, past);
  const beside = refuseBeside(record, state.decided, now);
  if (beside) return beside;
  const plan = draft && (await planAsking(context, record, draft, state));
  if (isRefusal(plan)) return plan;
  const { asking: _, ...columns } = record;
  const write = build.insert(absences).values({
    ...columns,
    ...plan?.columns,
    ...newIdentity("absence", now, id),
    accountId,
    servesFrom: now,
    reason: body.reason?.trim() || null,
    ...(body.meta && { meta: body.meta }),
  });
  const writes = [...(plan?.preconditions ?? []), write, ...(plan?.writes ?? [])];
  return writeAbsence(context, {
    ...{ verb: "create", before: null, record, state, writes },
    ifAccepted: plan?.ifAccepted,
  });
}

/** The refusal of a change of an absence that a calendar has. */
const OF_CALENDAR = refuse(
  "conflict",
  "the absence belongs to an absence calendar and is read-only; change it in the calendar",
);

/**
 * Takes an absence back from now on: who was on call by it stays. People who are asked are told.
 *
 * @returns null; 404; 409 for one of an absence calendar, or when absences change at the same time
 */
export async function deleteAbsence(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Decision<"Absence", null> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  return {
    ...{ verb: "delete", records, id, before },
    writes: [
      state.unchanged,
      keepServed(sql`${absences.id} = ${id}`, now),
      build.delete(absences).where(eq(absences.id, id)),
    ],
    concerns: selectConcerned(state.schedules, new Map(), [stored]),
    onCall: effectOf(onCallChangeOf(change, [accountUserId], endAt)),
    ...(stored.asking && { irreversible: "asked" }),
    attempts: ABSENCE_ATTEMPTS,
    answer: () => null,
  };
}

/**
 * Changes an absence from now on; what was served stays. An absence that has another `instead` than
 * `ask` asks nobody any more; one whose asking is over asks again if it is told whom.
 *
 * @returns the absence; 404; 409 for one of an absence calendar, or when absences change at the same
 *   time; 422 as for a new absence, and for what cannot change while people are asked
 */
export async function updateAbsence(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAbsence,
): Promise<AbsenceDecision | Refusal> {
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
  const change = {
    verb: "update",
    before,
    record,
    state,
    writes,
    ifAccepted: plan?.ifAccepted,
  } as const;
  return writeAbsence(context, change);
}

/** The columns of an absence for which nobody is asked. */
export const NOBODY_ASKED = {
  ...{ askingStatus: null, askedAt: null, askingExpiresAt: null, askingEndedAt: null },
  ...{ returnStartAt: null, returnEndAt: null, hours: null },
};
