// Whom a shift's boundary takes off call or brings on, each with their shift; and when that is to be told, which may be
// some time before. Pure.

import type { OnCallEvent } from "./on-call-event.ts";
import { nextBoundary, type OnCallEntry, onCallAt } from "./oncall.ts";
import { handoffsAt } from "./shift-handoff.ts";

export type ShiftChange = {
  readonly goes: "on" | "off";
  readonly accountUserId: string;
  /** When it changes (epoch ms). */
  readonly at: number;
  /** The shift that ends or begins then. */
  readonly shift: OnCallEntry;
};

/** What changes at a boundary (epoch ms), layer by layer; who goes off before who comes on. */
export function shiftChanges(events: readonly OnCallEvent[], at: number): readonly ShiftChange[] {
  const shifts = { off: onCallAt(events, at - 1), on: onCallAt(events, at) };
  return handoffsAt(events, at).flatMap((handoff) =>
    (["off", "on"] as const).flatMap((goes) =>
      handoff[goes].flatMap((accountUserId): ShiftChange[] => {
        const shift = shifts[goes].find(
          (it) =>
            it.layer === handoff.layer &&
            it.attendees.some((attendee) => attendee.attendeeId === accountUserId),
        );
        return shift === undefined ? [] : [{ goes, accountUserId, at, shift }];
      }),
    ),
  );
}

/** When the next boundary is to be told of (epoch ms), after `now`, by those who tell of it so long before (ms). */
export function nextReminderAt(
  events: readonly OnCallEvent[],
  leads: readonly number[],
  now: number,
): number | null {
  const times = leads.flatMap((lead) => {
    const boundary = nextBoundary(events, now + lead);
    return boundary === null ? [] : [boundary - lead];
  });
  return times.length === 0 ? null : Math.min(...times);
}

/** The boundaries to be told of from `from` until `to` (epoch ms, both included) by who does so `lead` ms before. */
export function boundariesDue(
  events: readonly OnCallEvent[],
  lead: number,
  from: number,
  to: number,
  most: number,
): readonly number[] {
  const due: number[] = [];
  let boundary = nextBoundary(events, from + lead - 1);
  while (boundary !== null && boundary <= to + lead && due.length < most) {
    due.push(boundary);
    boundary = nextBoundary(events, boundary);
  }
  return due;
}
