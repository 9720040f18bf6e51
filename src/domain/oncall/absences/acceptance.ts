/** The covers that accepting a request makes: one, or two of a swap. Pure. */

import type { Absence } from "../absences/absence.ts";
import { type OnCallSchedules, type ServedHours, servedHours } from "../absences/absent-hours.ts";
import { type Cover, isOverlapping } from "../absences/cover.ts";
import type { RequestTerms } from "./cover-request.ts";

export type AcceptanceProblem =
  /** The person is covered already in some of the time, by this cover. */
  | { readonly kind: "covered"; readonly accountUserId: string; readonly cover: Absence }
  /** The person is not on call in the time, or not any more. */
  | { readonly kind: "no_shifts"; readonly accountUserId: string };

export type Acceptance = {
  /** The cover of the person who asks; of a swap, also that of the person who accepts. */
  readonly made: readonly Cover[];
  readonly problems: readonly AcceptanceProblem[];
};

/** What is decided from. */
type Stored = {
  /** All covers that have not ended. */
  readonly covers: readonly Cover[];
  /** The schedules of both people. */
  readonly schedules: OnCallSchedules;
};

/**
 * Decides what accepting does.
 *
 * @param acceptedBy the account user who accepts
 * @param now epoch ms
 * @param newId makes an id of a cover
 */
export function decideAcceptance(
  { covers, schedules }: Stored,
  terms: RequestTerms,
  acceptedBy: string,
  now: number,
  newId: () => string,
): Acceptance {
  const made = coversOf(terms, acceptedBy, now, newId);
  const problems = made.flatMap((cover): AcceptanceProblem[] => {
    const { accountUserId } = cover;
    const other = covers.find(
      (it) => it.accountUserId === accountUserId && isOverlapping(cover, it),
    );
    if (other) return [{ kind: "covered", accountUserId, cover: other }];
    return hoursFrom(cover, schedules, now).length === 0
      ? [{ kind: "no_shifts", accountUserId }]
      : [];
  });
  return { made, problems };
}

function coversOf(
  { accountUserId, startAt, endAt, scheduleIds, inReturn }: RequestTerms,
  acceptedBy: string,
  now: number,
  newId: () => string,
): readonly Cover[] {
  const shared = { instead: "person", scheduleIds, decidedAt: now, released: [] } as const;
  const asked = {
    ...shared,
    ...{ id: newId(), accountUserId, startAt, endAt },
    coveringAccountUserId: acceptedBy,
  };
  if (inReturn === null) return [asked];
  const returned = {
    ...shared,
    ...{ id: newId(), accountUserId: acceptedBy, ...inReturn },
    coveringAccountUserId: accountUserId,
  };
  return [asked, returned];
}

/** The hours in which the person who asks is on call in the time from `now` on, by start. */
export const hoursOf = (
  terms: RequestTerms,
  schedules: OnCallSchedules,
  now: number,
): readonly ServedHours[] => hoursFrom(terms, schedules, now);

/** Whether a person is on call in the hours in return. */
export const servesInReturn = (
  { inReturn, scheduleIds }: RequestTerms,
  accountUserId: string,
  schedules: OnCallSchedules,
  now: number,
): boolean =>
  inReturn !== null &&
  hoursFrom({ ...inReturn, accountUserId, scheduleIds }, schedules, now).length > 0;

const hoursFrom = (
  span: Parameters<typeof servedHours>[0],
  schedules: OnCallSchedules,
  now: number,
) => servedHours({ ...span, startAt: Math.max(span.startAt, now) }, schedules);
