import type { CoverRequest } from "../../../contract/oncall/requests/cover-request.ts";
import {
  COVER_ATTEMPTS,
  type CoverState,
  coverValues,
  selectCoverState,
  toCover,
  toCoverState,
} from "../../../db/oncall/absences/cover-rows.ts";
import { coverRequestRecords } from "../../../db/oncall/requests/request-records.ts";
import {
  nameIn,
  selectRequest,
  selectRequester,
} from "../../../db/oncall/requests/request-rows.ts";
import { writeState } from "../../../db/oncall/requests/request-writes.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { coverRequests } from "../../../db/schema/calendars/cover-requests.ts";
import { covers } from "../../../db/schema/calendars/covers.ts";
import { build } from "../../../db/shared/database.ts";
import { newId, newIdentity } from "../../../db/shared/identifiers.ts";
import { assertUnchanged, retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { PersonActor } from "../../../domain/access/actor.ts";
import { absencesAfter, withAbsences } from "../../../domain/oncall/absences/absent-hours.ts";
import { MOST_COVERS } from "../../../domain/oncall/absences/cover.ts";
import {
  type Acceptance,
  decideAcceptance,
  hoursOf,
} from "../../../domain/oncall/requests/acceptance.ts";
import { type AnswerChannel, transition } from "../../../domain/oncall/requests/cover-request.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { onCallChangeOf, selectConcerned } from "../covers/commit-cover.ts";
import { warningsOf } from "../covers/show-cover.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";
import { problemMessage, requestedHours } from "./acceptance-problems.ts";

/** The channel of an answer, by who answers. */
export const ANSWER_CHANNEL: Readonly<Record<PersonActor["kind"], AnswerChannel>> = {
  key: "api",
  session: "console",
  link: "link",
  phone: "sms",
};

const TOO_MANY = refuse(
  "conflict",
  `an account may have ${MOST_COVERS} covers that have not ended`,
);

/**
 * Accepts a request for cover as the actor: the first who does is on call instead. The answer, the
 * covers are written in one transaction, which fails if the request or any cover was changed since they
 * were read.
 *
 * @returns the request; 403 for anyone who is not asked; 404; 409 if the request is over, or nothing
 *   is left of the hours
 */
export function acceptCoverRequest(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<CoverRequest | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  return retryOnConflict(async () => {
    const peopleIn = selectRequester(accountId, identifier);
    const scope = { accountId, now, people: [accountUserId], peopleIn };
    const [[stored], [before], coverRows, events, absences] = await batch(db, [
      selectRequest(accountId, identifier),
      selectRecord(coverRequestRecords, accountId, identifier),
      ...selectCoverState(scope),
    ]);
    if (!stored || !before) return notFound("cover_request");
    const answer = { type: "accept", accountUserId, channel: ANSWER_CHANNEL[actor.kind] } as const;
    const next = transition(stored, answer, now, (person) => nameIn(stored, person));
    if (isRefusal(next)) return next;
    const state = toCoverState(scope, coverRows, events, absences);
    const known = { covers: state.covers.map(toCover), schedules: state.schedules };
    const accepted = decideAcceptance(known, stored, accountUserId, now, () => newId(now));
    const [problem] = accepted.problems;
    if (problem) {
      const name = nameIn(stored, problem.accountUserId);
      return refuse("conflict", problemMessage(problem, name));
    }
    const { made } = accepted;
    if (known.covers.length + made.length > MOST_COVERS) return TOO_MANY;
    const hours = requestedHours(hoursOf(stored, state.schedules, now));
    const { id } = stored;
    const { after } = await commitChange(context, {
      ...{ verb: "accept", records: coverRequestRecords, id, before },
      writes: [
        assertUnchanged(coverRequests, id, stored.updatedAt),
        state.unchanged,
        ...made.map((cover) =>
          build.insert(covers).values({
            ...coverValues(cover),
            ...newIdentity("cover", now, cover.id),
            accountId,
            servesFrom: now,
            reason: stored.reason,
          }),
        ),
        ...writeState(stored, next, now, { coverIds: made.map((it) => it.id), hours }),
      ],
      concerns: selectConcerned(state.schedules, afterAcceptance(made, state, now).schedules, made),
      onCall: onCallChangeOfAcceptance(accepted, state, now),
    });
    return after ?? notFound("cover_request");
  }, COVER_ATTEMPTS);
}

/** The account's absences, and the schedules of both people, with the covers that accepting makes. */
function afterAcceptance(made: Acceptance["made"], state: CoverState, now: number) {
  const absences = absencesAfter(state.absences, { replacedIds: [], absences: made }, now);
  return { absences, schedules: withAbsences(state.schedules, absences) };
}

/** What accepting does to who is on call, for its preview. */
export function onCallChangeOfAcceptance(
  { made }: Acceptance,
  state: CoverState,
  now: number,
): OnCallChange {
  const after = afterAcceptance(made, state, now);
  const warnings = made.flatMap((cover) => warningsOf({ cover, ...after, now }));
  const until = Math.max(...made.map(({ endAt }) => endAt));
  const people = made.map(({ accountUserId }) => accountUserId);
  return { ...onCallChangeOf({ replacedIds: [], absences: made }, people, until), warnings };
}
