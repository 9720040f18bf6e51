// Declines an absence that asks, and cancels the asking.
import type { PersonActor } from "../../../domain/access/actor.ts";
import { type AskingAction, transition } from "../../../domain/oncall/absences/asking.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { absenceRecords } from "./absence-rows.ts";
import { ANSWER_CHANNEL, NOT_ASKED } from "./accept-absence.ts";
import { writeAsking } from "./asking-writes.ts";
import { askingOf, nameIn, selectStoredAbsence } from "./stored-absences.ts";

/** A verb by which a person answers an absence that asks. */
export type AnswerAbsence = (
  context: Context<PersonActor>,
  identifier: Identifier,
) => Promise<Decision<"Absence"> | Refusal>;

/**
 * Declines an absence as the actor. Once everybody has, the asking is over; until then they may still
 * accept.
 *
 * @returns the absence; 403 for anyone who is not asked; 404; 409 if the asking is over, or already
 *   declined
 */
export function declineAbsence(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<Decision<"Absence"> | Refusal> {
  const { accountUserId, kind } = context.actor;
  const action = { type: "decline", accountUserId, channel: ANSWER_CHANNEL[kind] } as const;
  return change(context, identifier, action, NOT_ASKED);
}

/**
 * Cancels an absence for which people are asked: the person is not away.
 *
 * @returns the absence; 404; 409 if the asking is over, or nobody is asked
 */
export const cancelAbsence = (
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<Decision<"Absence"> | Refusal> =>
  change(context, identifier, { type: "cancel" }, refuse("conflict", "nobody is asked"));

async function change(
  context: Context<PersonActor>,
  identifier: Identifier,
  action: AskingAction,
  refusal: Refusal,
): Promise<Decision<"Absence"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const records = absenceRecords(context);
  const [[found], [before]] = await batch(db, [
    selectStoredAbsence(accountId, identifier),
    selectRecord(records, accountId, identifier),
  ]);
  if (!found || !before) return notFound("absence");
  const stored = askingOf(found);
  if (!stored) return refusal;
  const next = transition(stored.asking, action, now, (person) => nameIn(stored, person));
  if (isRefusal(next)) return next;
  const { id } = stored;
  return {
    ...{ verb: action.type, records, id, before },
    writes: [assertUnchanged(absences, id, stored.updatedAt), ...writeAsking(stored, next, now)],
    irreversible: "asked",
    answer: ({ after }) => after ?? notFound("absence"),
  };
}
