/** The covers that accepting a request makes: one, or two of a swap, planned together. Pure. */

import type { Absence } from "../covers/absences.ts";
import { type Cover, isOverlapping } from "../covers/cover.ts";
import { absentSegments, type PlacedEvents } from "../covers/cover-parts.ts";
import { type CoverPlan, planCovers } from "../covers/cover-plan.ts";
import type { ServedSegment } from "../covers/served-segments.ts";
import type { RequestTerms } from "./cover-request.ts";

export type AcceptanceProblem =
  /** The person is covered already in some of the time, by this cover. */
  | { readonly kind: "covered"; readonly accountUserId: string; readonly cover: Cover }
  /** The person is not on call in the time, or not any more. */
  | { readonly kind: "no_shifts"; readonly accountUserId: string }
  | { readonly kind: "too_many_shifts"; readonly accountUserId: string };

export type Acceptance = {
  /** The cover of the person who asks; of a swap, also that of the person who accepts. */
  readonly made: readonly Cover[];
  /** All covers, with those. */
  readonly covers: readonly Cover[];
  readonly plan: CoverPlan;
  readonly problems: readonly AcceptanceProblem[];
};

/** What is planned from: what is stored of an account's covers and events. */
type Stored = {
  readonly covers: readonly Cover[];
  readonly placed: PlacedEvents;
  /** When people are unavailable whom rotations skip. */
  readonly absences: readonly Absence[];
};

/**
 * Plans what accepting does.
 *
 * @param acceptedBy the account user who accepts
 * @param now epoch ms
 * @param newId makes an id of a cover, an event or an attendee
 */
export function planAcceptance(
  { covers, placed, absences }: Stored,
  terms: RequestTerms,
  acceptedBy: string,
  now: number,
  newId: () => string,
): Acceptance {
  const made = coversOf(terms, acceptedBy, now, newId);
  const all = [...covers, ...made];
  const plan = planCovers(placed, all, now, newId, absences);
  const problems = made.flatMap((cover): AcceptanceProblem[] => {
    const { accountUserId } = cover;
    const other = covers.find(
      (it) => it.accountUserId === accountUserId && isOverlapping(cover, it),
    );
    if (other) return [{ kind: "covered", accountUserId, cover: other }];
    const decided = plan.decided.get(cover.id);
    if (!decided || decided.parts.length === 0) return [{ kind: "no_shifts", accountUserId }];
    return decided.isOverLimit ? [{ kind: "too_many_shifts", accountUserId }] : [];
  });
  return { made, covers: all, plan, problems };
}

function coversOf(
  { accountUserId, startAt, endAt, scheduleIds, inReturn }: RequestTerms,
  acceptedBy: string,
  now: number,
  newId: () => string,
): readonly Cover[] {
  const shared = { coveredBy: "person", scheduleIds, decidedAt: now, released: [] } as const;
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

/** The hours in which the person who asks is on call in the time now, by start. */
export const hoursOf = (
  terms: RequestTerms,
  placed: PlacedEvents,
  now: number,
): readonly ServedSegment[] => servedHours(terms, terms.accountUserId, terms, placed, now);

/** Whether a person is on call in the hours in return. */
export const servesInReturn = (
  terms: RequestTerms,
  accountUserId: string,
  placed: PlacedEvents,
  now: number,
): boolean =>
  terms.inReturn !== null &&
  servedHours(terms, accountUserId, terms.inReturn, placed, now).length > 0;

function servedHours(
  { scheduleIds }: RequestTerms,
  accountUserId: string,
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
  placed: PlacedEvents,
  now: number,
): readonly ServedSegment[] {
  const absence: Cover = {
    ...{ id: "", accountUserId, startAt, endAt, scheduleIds },
    ...{ coveredBy: "nobody", coveringAccountUserId: null, decidedAt: now, released: [] },
  };
  return absentSegments(absence, placed, now).toSorted(
    (one, other) => one.startAt - other.startAt || one.event.layer - other.event.layer,
  );
}
