// Shift reminders: who goes off or on call at a boundary, with their shift, and when the reminder
// is due, which may be earlier. Pure.
import type { OnCallEvent } from "./on-call-event.ts";
import { nextBoundary, type OnCallEntry, onCallAt } from "./oncall.ts";
import { handoffsAt } from "./shift-handoff.ts";

export type ShiftChange = {
  readonly goes: "on" | "off";
  readonly accountUserId: string;
  /** Time of the change (epoch ms). */
  readonly at: number;
  /** The shift that ends or starts then. */
  readonly shift: OnCallEntry;
};

/** The changes at a boundary (epoch ms), layer by layer; off call before on call. */
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

/**
 * When the next reminder is due (epoch ms), after `now`.
 *
 * @param leads how long before a boundary each reminder is sent (ms)
 */
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

/** The boundaries whose reminders, `lead` ms before, are due in [from, to] (epoch ms). */
export function boundariesDue(
  events: readonly OnCallEvent[],
  lead: number,
  from: number,
  to: number,
  limit: number,
): readonly number[] {
  const due: number[] = [];
  let boundary = nextBoundary(events, from + lead - 1);
  while (boundary !== null && boundary <= to + lead && due.length < limit) {
    due.push(boundary);
    boundary = nextBoundary(events, boundary);
  }
  return due;
}
