import type { PersonActor } from "../../../domain/access/actor.ts";
import { decides, MOST_DECIDED } from "../../../domain/oncall/absences/absence-record.ts";
import { absencesAfter, withAbsences } from "../../../domain/oncall/absences/absent-hours.ts";
import {
  type Acceptance,
  decideAcceptance,
  hoursOf,
} from "../../../domain/oncall/absences/acceptance.ts";
import { type AnswerChannel, transition } from "../../../domain/oncall/absences/asking.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import { onCallChangeOf, selectConcerned } from "./absence-change.ts";
import { absenceRecords } from "./absence-rows.ts";
import {
  ABSENCE_ATTEMPTS,
  type AbsenceState,
  selectAbsenceState,
  toAbsenceState,
} from "./absence-state.ts";
import { problemMessage, requestedHours } from "./acceptance-problems.ts";
import { writeAsking } from "./asking-writes.ts";
import { warningsOf } from "./show-absence.ts";
import { askingOf, nameIn, selectStoredAbsence } from "./stored-absences.ts";

/** The channel of an answer, by who answers. */
export const ANSWER_CHANNEL: Readonly<Record<PersonActor["kind"], AnswerChannel>> = {
  key: "api",
  session: "console",
  link: "link",
  phone: "sms",
};

const TOO_MANY = refuse(
  "conflict",
  `an account may have ${MOST_DECIDED} absences that have not ended and say who is on call instead`,
);

/**
 * Accepts an absence as the actor: the first of those who are asked who does is on call instead. The
 * answer and, of a swap, the absence with the hours in return are written in one transaction, which
 * fails if any absence that decides was changed since they were read.
 *
 * @returns the absence; 403 for anyone who is not asked; 404; 409 if the asking is over, or nothing
 *   is left of the hours
 */
export async function acceptAbsence(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<Decision<"Absence"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const scope = { accountId, now, absence: identifier, people: [accountUserId] };
  const records = absenceRecords(context);
  const [[found], [before], decided, events, served, past] = await batch(db, [
    selectStoredAbsence(accountId, identifier),
    selectRecord(records, accountId, identifier),
    ...selectAbsenceState(scope),
  ]);
  if (!found || !before) return notFound("absence");
  const stored = askingOf(found);
  if (!stored) return NOT_ASKED;
  const answer = { type: "accept", accountUserId, channel: ANSWER_CHANNEL[actor.kind] } as const;
  const next = transition(stored.asking, answer, now, (person) => nameIn(stored, person));
  if (isRefusal(next)) return next;
  const { id } = stored;
  const { inReturn } = stored.asking;
  const state = toAbsenceState(scope, decided, events, served, past);
  const others = withoutAbsence(state, id, now);
  const terms = { ...stored, inReturn };
  const accepted = decideAcceptance(others, terms, accountUserId, now, [id, newId(now)]);
  const [problem] = accepted.problems;
  if (problem) {
    return refuse("conflict", problemMessage(problem, nameIn(stored, problem.accountUserId)));
  }
  if (others.others.length + accepted.served.length > MOST_DECIDED) return TOO_MANY;
  const hours = requestedHours(hoursOf(terms, others.schedules, now));
  const after = afterAcceptance(accepted, state, now);
  const returned = accepted.served.filter((it) => it.id !== id);
  return {
    ...{ verb: "accept", records, id, before },
    writes: [
      assertUnchanged(absences, id, stored.updatedAt),
      state.unchanged,
      ...returned.map((it) =>
        build.insert(absences).values({
          ...it,
          ...newIdentity("absence", now, it.id),
          ...{ accountId, servesFrom: now, returnOf: id },
        }),
      ),
      ...writeAsking(stored, next, now, { acceptedBy: accountUserId, hours }),
    ],
    concerns: selectConcerned(state.schedules, after.schedules, accepted.served),
    onCall: effectOf(onCallChangeOfAcceptance(accepted, state, now)),
    attempts: ABSENCE_ATTEMPTS,
    answer: ({ after }) => after ?? notFound("absence"),
  };
}

/** The refusal of an answer to an absence that asks nobody. */
export const NOT_ASKED = refuse("forbidden", "only the people who are asked may answer");

/** What a decision about an absence is made from: all but itself. */
export function withoutAbsence(state: AbsenceState, id: string, now: number) {
  const isOther = (it: { readonly id: string }) => it.id !== id;
  return {
    others: state.decided.filter((it) => isOther(it) && decides(it, now)),
    schedules: withAbsences(state.schedules, state.absences.filter(isOther)),
  };
}

const changeOf = ({ served }: Acceptance) => ({
  replacedIds: served.map(({ id }) => id),
  absences: served,
});

/** The account's absences, and the schedules of both people, after somebody has accepted. */
function afterAcceptance(accepted: Acceptance, state: AbsenceState, now: number) {
  const absences = absencesAfter(state.absences, changeOf(accepted), now);
  return { absences, schedules: withAbsences(state.schedules, absences) };
}

/** What accepting does to who is on call, for its preview. */
export function onCallChangeOfAcceptance(
  accepted: Acceptance,
  state: AbsenceState,
  now: number,
): PreviewedChange {
  const { served } = accepted;
  const after = afterAcceptance(accepted, state, now);
  const warnings = served.flatMap((it) =>
    warningsOf({ record: { ...it, asking: null }, ...after, now }),
  );
  const until = Math.max(...served.map(({ endAt }) => endAt));
  const people = served.map(({ accountUserId }) => accountUserId);
  return { ...onCallChangeOf(changeOf(accepted), people, until), warnings };
}
