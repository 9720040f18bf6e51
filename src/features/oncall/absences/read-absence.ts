import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absenceRecords } from "./absence-rows.ts";
import { selectAbsenceState, toAbsenceState } from "./absence-state.ts";
import type { AbsenceWithShifts } from "./contract.ts";
import { showAbsence } from "./show-absence.ts";

/** Reads an absence with the hours in which others are on call and those left; or 404. */
export async function readAbsence(
  { db, actor, now }: Pick<Context<MemberActor>, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<AbsenceWithShifts | Refusal> {
  const { accountId } = actor;
  const scope = { accountId, now, absence: identifier };
  const [stored, events, served, past, [answer]] = await batch(db, [
    ...selectAbsenceState(scope),
    selectRecord(absenceRecords({ actor }), accountId, identifier),
  ]);
  const state = toAbsenceState(scope, stored, events, served, past);
  const record = state.decided.find((it) => it.id === answer?.id);
  if (!answer || !record) return notFound("absence");
  return showAbsence(answer, { ...state, record, now });
}
