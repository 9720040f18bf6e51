/** What accepting does: the absence is covered; of a swap, another one has the hours in return. Pure. */

import type { Absence } from "./absence.ts";
import { type AbsenceRecord, overlappingDecision } from "./absence-record.ts";
import { type OnCallSchedules, type ServedHours, servedHours } from "./absent-hours.ts";
import type { AskingTerms } from "./asking.ts";

export type AcceptanceProblem =
  /** The person is away already in some of the time, by this absence. */
  | { readonly kind: "decided"; readonly accountUserId: string; readonly absence: AbsenceRecord }
  /** The person is not on call in the time, or not any more. */
  | { readonly kind: "no_shifts"; readonly accountUserId: string };

export type Acceptance = {
  /** The absence that asks, as it is served; of a swap, also that of the person who accepts. */
  readonly served: readonly Absence[];
  readonly problems: readonly AcceptanceProblem[];
};

/** What is decided from. */
type Stored = {
  /** All other absences that decide and have not ended. */
  readonly others: readonly AbsenceRecord[];
  /** The schedules of both people, without the absence that asks. */
  readonly schedules: OnCallSchedules;
};

/**
 * Decides what accepting does.
 *
 * @param acceptedBy the account user who accepts
 * @param now epoch ms
 * @param ids of the absence that asks, and of the one with the hours in return
 */
export function decideAcceptance(
  { others, schedules }: Stored,
  terms: AskingTerms,
  acceptedBy: string,
  now: number,
  ids: readonly [string, string],
): Acceptance {
  const served = absencesOf(terms, acceptedBy, now, ids);
  const problems = served.flatMap((it): AcceptanceProblem[] => {
    const { accountUserId } = it;
    const absence = overlappingDecision({ ...it, asking: null }, others, now);
    if (absence) return [{ kind: "decided", accountUserId, absence }];
    return hoursFrom(it, schedules, now).length === 0 ? [{ kind: "no_shifts", accountUserId }] : [];
  });
  return { served, problems };
}

function absencesOf(
  { accountUserId, startAt, endAt, scheduleIds, inReturn }: AskingTerms,
  acceptedBy: string,
  now: number,
  [id, returnId]: readonly [string, string],
): readonly Absence[] {
  const shared = { instead: "person", decidedAt: now } as const;
  const asked = {
    ...shared,
    ...{ id, accountUserId, startAt, endAt, scheduleIds },
    coveringAccountUserId: acceptedBy,
  };
  if (inReturn === null) return [asked];
  const returned = {
    ...shared,
    ...{ id: returnId, accountUserId: acceptedBy, ...inReturn, scheduleIds: null },
    coveringAccountUserId: accountUserId,
  };
  return [asked, returned];
}

/** The hours in which the person who asks is on call in the time from `now` on, by start. */
export const hoursOf = (
  terms: AskingTerms,
  schedules: OnCallSchedules,
  now: number,
): readonly ServedHours[] => hoursFrom(terms, schedules, now);

/** Whether a person is on call in the hours in return. */
export const servesInReturn = (
  { inReturn }: AskingTerms,
  accountUserId: string,
  schedules: OnCallSchedules,
  now: number,
): boolean =>
  inReturn !== null &&
  hoursFrom({ ...inReturn, accountUserId, scheduleIds: null }, schedules, now).length > 0;

const hoursFrom = (
  span: Parameters<typeof servedHours>[0],
  schedules: OnCallSchedules,
  now: number,
) => servedHours({ ...span, startAt: Math.max(span.startAt, now) }, schedules);
