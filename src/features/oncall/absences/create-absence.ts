import type { MemberActor } from "../../../domain/access/actor.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { parameterFaults, samePersonFaults, toInterval } from "./absence-faults.ts";
import { referencesOf } from "./absence-references.ts";
import { ABSENCE_ATTEMPTS, selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import { selectRotationPeople } from "./asked-people.ts";
import { commitAbsence, refuseBeside } from "./commit-absence.ts";
import type { AbsenceWithShifts } from "./contract.ts";
import type { CreateAbsence } from "./parameters.ts";
import { draftFaults, openAsking, planAsking } from "./plan-asking.ts";
import { readAbsence } from "./read-absence.ts";
import { selectStoredAbsence } from "./stored-absences.ts";

/**
 * Says that a person is away, and who is on call instead (contract 2, Absences). The preview of an
 * `ask` shows what happens if the first of those who are asked accepts.
 *
 * @param id the ULID of the new absence
 * @returns the absence; 422 for invalid times or unknown records, if another absence of the person
 *   decides the same, or if nobody can be asked; 409 when absences change at the same time
 */
export const createAbsence = (
  context: Context<MemberActor>,
  id: string,
  body: CreateAbsence,
): Promise<AbsenceWithShifts | Refusal> =>
  retryOnConflict(() => attemptCreate(context, id, body), ABSENCE_ATTEMPTS);

async function attemptCreate(
  context: Context<MemberActor>,
  id: string,
  body: CreateAbsence,
): Promise<AbsenceWithShifts | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const identifier = { form: "id", value: id } as const;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectRotationPeople(accountId, body.event_id),
    selectStoredAbsence(accountId, identifier),
  ]);
  const [rotation, [earlier]] = rows;
  // A retry of a create whose answer was lost.
  if (earlier) return readAbsence(context, identifier);
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
  return commitAbsence(context, {
    ...{ verb: "create", before: null, record, state, writes },
    onCall: plan?.onCall,
  });
}
