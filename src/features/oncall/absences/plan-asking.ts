// Asks people to be on call instead of an absent person: what is written, and what the preview shows.
import type { SQLWrapper } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import {
  type Acceptance,
  decideAcceptance,
  hoursOf,
  servesInReturn,
} from "../../../domain/oncall/absences/acceptance.ts";
import {
  type AskingTerms,
  latestExpiry,
  MOST_OPEN_ASKINGS,
} from "../../../domain/oncall/absences/asking.ts";
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import {
  type FieldError,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import type { AbsenceState } from "./absence-state.ts";
import { onCallChangeOfAcceptance, withoutAbsence } from "./accept-absence.ts";
import { problemMessage, requestedHours } from "./acceptance-problems.ts";
import { assertMembers, selectMembers } from "./asked-people.ts";
import { replaceAsked } from "./asking-writes.ts";
import { countOpenAskings } from "./stored-absences.ts";

const TOO_MANY = refuse(
  "invalid",
  `a person may have ${MOST_OPEN_ASKINGS} absences for which people are asked`,
);

type Member = { readonly id: string; readonly name: string; readonly isActive: boolean };

/** Whom to ask, and what for. */
export type AskingDraft = {
  /** Account users, in their order. */
  readonly asked: readonly string[];
  /** Whether they are those of a rotation. */
  readonly isRotation: boolean;
  readonly inReturn: Interval | null;
};

/** What asking adds to the row of an absence, and what it writes beside it. */
type AskingPlan = {
  readonly columns: Readonly<Record<string, unknown>>;
  /** Before the row is written. */
  readonly preconditions: readonly SQLWrapper[];
  /** Once the row is written. */
  readonly writes: readonly SQLWrapper[];
  /** What happens if the first of those who are asked accepts. */
  readonly ifAccepted: () => PreviewedChange;
};

/** The asking of an absence that begins now; latest, it ends when the hours begin. */
export const openAsking = (
  startAt: number,
  inReturn: Interval | null,
  expiresAt: number | null | undefined,
): AbsenceRecord["asking"] => ({
  status: "open",
  expiresAt: expiresAt ?? latestExpiry({ startAt, inReturn }),
});

/** Errors in whom an absence asks, before the people are read. */
export function draftFaults(
  { asked, isRotation }: AskingDraft,
  accountUserId: string,
): FieldError[] {
  if (isRotation) {
    const message = "event_id: nobody else is in this rotation";
    return asked.length === 0 ? [{ field: "event_id", message }] : [];
  }
  const message = `${ASKED} has the person who is away`;
  return asked.includes(accountUserId) ? [{ field: ASKED, message }] : [];
}

/**
 * Plans to ask people.
 *
 * @param state with the schedules of everybody concerned
 * @returns 422 for a person who is not on call then, for people who have not joined the account or
 *   have nothing to give in return, and for too many open askings
 */
export async function planAsking(
  { db, actor, now }: Context<MemberActor>,
  record: AbsenceRecord,
  draft: AskingDraft,
  state: AbsenceState,
): Promise<AskingPlan | Refusal> {
  const { accountId } = actor;
  const { accountUserId, id, asking } = record;
  const { asked, inReturn } = draft;
  const [[open], members] = await batch(db, [
    countOpenAskings(accountId, accountUserId, now),
    selectMembers(accountId, [accountUserId, ...asked]),
  ]);
  const terms = { ...record, inReturn };
  const others = withoutAbsence(state, id, now);
  const [first = ""] = asked;
  const planned = decideAcceptance(others, terms, first, now, [id, newId(now)]);
  const faults = [
    ...memberFaults(members, asked),
    ...problemFaults(planned, terms, members),
    ...returnFaults(terms, asked, members, others.schedules, now),
  ];
  if (faults.length > 0) return refuseFields(faults);
  if ((open?.count ?? 0) >= MOST_OPEN_ASKINGS) return TOO_MANY;
  return {
    columns: {
      askingStatus: "open",
      askedAt: now,
      askingExpiresAt: asking?.expiresAt,
      askingEndedAt: null,
      returnStartAt: inReturn?.startAt ?? null,
      returnEndAt: inReturn?.endAt ?? null,
      hours: requestedHours(hoursOf(terms, others.schedules, now)),
    },
    preconditions: [assertMembers(accountId, [accountUserId, ...asked])],
    writes: replaceAsked(accountId, id, asked),
    ifAccepted: () => onCallChangeOfAcceptance(planned, state, now),
  };
}

const ASKED = "account_user_ids";

const nameOf = (members: readonly Member[], id: string) =>
  members.find((it) => it.id === id)?.name ?? "a person";

/** Who has not joined the account is told of nothing. */
function memberFaults(members: readonly Member[], asked: readonly string[]): FieldError[] {
  const pending = members.filter((it) => !it.isActive && asked.includes(it.id));
  return pending.map(({ name }) => ({
    field: ASKED,
    message: `${ASKED}: ${name} has not joined the account yet`,
  }));
}

/** The problems of the person who asks; those of a person who accepts are only theirs. */
const problemFaults = (
  { problems }: Acceptance,
  { accountUserId }: AskingTerms,
  members: readonly Member[],
): FieldError[] =>
  problems
    .filter((it) => it.accountUserId === accountUserId)
    .map((it) => ({
      field: "start_datetime",
      message: problemMessage(it, nameOf(members, accountUserId)),
    }));

/** Names the people who are not on call in the hours in return. */
function returnFaults(
  terms: AskingTerms,
  asked: readonly string[],
  members: readonly Member[],
  schedules: AbsenceState["schedules"],
  now: number,
): FieldError[] {
  if (terms.inReturn === null) return [];
  const without = asked.filter((person) => !servesInReturn(terms, person, schedules, now));
  if (without.length === 0) return [];
  const names = without.map((person) => nameOf(members, person)).join(", ");
  const message = `in_return: ${names} ${without.length === 1 ? "is" : "are"} not on call in these hours`;
  return [{ field: "in_return", message }];
}
