// Absences as a configuration file has them: who is away, when, and who is on call instead. Several are
// written in one transaction, each seeing those before it. Nobody is asked: an absence for which
// people are asked is in the file as what it does.
import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { SERVED_INSTEAD } from "../../../domain/oncall/absences/absence.ts";
import {
  type AbsenceRecord,
  MOST_DECIDED,
} from "../../../domain/oncall/absences/absence-record.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { refuseBeside, writeAbsence } from "./absence-change.ts";
import { coveringFaults, samePersonFaults, timeFaults } from "./absence-faults.ts";
import { referencesOf } from "./absence-references.ts";
import { absenceRecords, keepServed } from "./absence-rows.ts";
import { type AbsenceState, selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import { replaceAsked } from "./asking-writes.ts";
import type { AbsenceWithShifts } from "./contract.ts";
import { selectStoredAbsence } from "./stored-absences.ts";
import { NOBODY_ASKED } from "./verbs.ts";

export const ConfiguredAbsence = z.object({
  account_user_id: field.identifier,
  start_datetime: field.instant,
  end_datetime: field.instant,
  schedule_ids: field.identifiers.optional(),
  instead: field.choice(SERVED_INSTEAD).default("nobody_yet"),
  covering_account_user_id: field.identifier,
  decided_at: field.optionalInstant,
  meta: field.hash.optional(),
});
export type ConfiguredAbsence = z.output<typeof ConfiguredAbsence>;

type AbsenceDecision = Decision<"Absence", AbsenceWithShifts>;

/** Creates an absence; 422 for invalid times, unknown records, or one that decides the same. */
export async function createConfiguredAbsence(
  context: Context<MemberActor>,
  id: string,
  body: ConfiguredAbsence,
): Promise<AbsenceDecision | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const read = await readConfigured(context, id, body);
  if ("kind" in read) return read;
  const { record, state } = read;
  const { asking: _, ...columns } = record;
  const write = build.insert(absences).values({
    ...columns,
    ...newIdentity("absence", now, id),
    accountId,
    servesFrom: now,
    ...(body.meta && { meta: body.meta }),
  });
  return {
    ...writeAbsence(context, { verb: "create", before: null, record, state, writes: [write] }),
    reads: [assertBeside(accountId, record, now)],
  };
}

/**
 * Changes an absence from now on. People who are asked by it are asked no more.
 *
 * @returns the absence; 404; 409 when it changes at the same time; 422 as for a new one
 */
export async function updateConfiguredAbsence(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: ConfiguredAbsence,
): Promise<AbsenceDecision | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const [[stored], [before]] = await batch(db, [
    selectStoredAbsence(accountId, identifier),
    selectRecord(absenceRecords(context), accountId, identifier),
  ]);
  if (!stored || !before) return notFound("absence");
  const { id, updatedAt } = stored;
  const read = await readConfigured(context, id, body);
  if ("kind" in read) return read;
  const { record, state } = read;
  const { id: _, asking: __, ...columns } = record;
  const writes = [
    assertUnchanged(absences, id, updatedAt),
    keepServed(sql`${absences.id} = ${id}`, now),
    build
      .update(absences)
      .set({
        ...columns,
        ...NOBODY_ASKED,
        servesFrom: now,
        updatedAt: nextUpdatedAt(updatedAt, now),
        meta: body.meta,
      })
      .where(eq(absences.id, id)),
    ...replaceAsked(accountId, id, []),
  ];
  return {
    ...writeAbsence(context, { verb: "update", before, record, state, writes }),
    reads: [assertBeside(accountId, record, now)],
  };
}

/** The absence that the body describes, and what a decision about it reads; or why it cannot be. */
async function readConfigured(
  { db, actor, now }: Context<MemberActor>,
  id: string,
  body: ConfiguredAbsence,
): Promise<{ readonly record: AbsenceRecord; readonly state: AbsenceState } | Refusal> {
  const { accountId } = actor;
  const { start_datetime: startAt, end_datetime: endAt, instead } = body;
  const absence = { form: "id", value: id } as const;
  const people = [body.account_user_id ?? ""];
  const scope = { accountId, now, absence, people };
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    ...selectAbsenceState(scope),
  ]);
  const covering = body.covering_account_user_id;
  const faults = [
    ...timeFaults(startAt, endAt),
    // Null is a substitute who has left.
    ...(covering === null ? [] : coveringFaults(instead, covering !== undefined)),
    ...(body.account_user_id
      ? []
      : [{ field: "account_user_id", message: "account_user_id can't be blank" }]),
  ];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const ids = resolved.idsOf("schedule_ids");
  const record: AbsenceRecord = {
    ...{ id, startAt, endAt, instead },
    accountUserId: resolved.idsOf("account_user_id")[0] ?? "",
    coveringAccountUserId: resolved.idsOf("covering_account_user_id")[0] ?? null,
    scheduleIds: ids.length > 0 ? ids : null,
    decidedAt: body.decided_at ?? now,
    released: [],
    asking: null,
  };
  faults.push(...samePersonFaults(record));
  if (faults.length > 0) return refuseFields(faults);
  const [decided, events, served, past] = rows;
  const state = toAbsenceState(scope, decided, events, served, past);
  // Those that the same file may change are compared as they are written.
  const asking = state.decided.filter((it) => it.asking !== null);
  const beside = refuseBeside(record, asking, now);
  if (beside) return beside;
  return { record, state: { ...state, unchanged: assertPrecondition(sql`1`) } };
}

/**
 * The condition that no other absence of the person decides about the same shifts, and not too many do.
 * It is for after all changes of the transaction: one may make room for another.
 */
function assertBeside(accountId: string, record: AbsenceRecord, now: number): SQL {
  if (record.instead === "nobody_yet") return assertPrecondition(sql`1`);
  const { id, accountUserId, startAt, endAt, scheduleIds } = record;
  const places = JSON.stringify(scheduleIds);
  const deciding = sql`${absences.accountId} = ${accountId} and ${absences.instead} <> 'nobody_yet'
    and ${absences.endAt} > ${now}
    and (${absences.askingStatus} is null or ${absences.askingStatus} in ('open', 'accepted'))`;
  const sharesSchedule = sql`(${places} = 'null' or ${absences.scheduleIds} is null
    or exists (select 1 from json_each(${places}) as own
      join json_each(${absences.scheduleIds}) as other on other.value = own.value))`;
  return assertPrecondition(sql`not exists (select 1 from ${absences}
      where ${deciding} and ${absences.accountUserId} = ${accountUserId} and ${absences.id} <> ${id}
        and ${absences.startAt} < ${endAt} and ${absences.endAt} > ${startAt} and ${sharesSchedule})
    and (select count(*) from ${absences} where ${deciding}) <= ${MOST_DECIDED}`);
}
